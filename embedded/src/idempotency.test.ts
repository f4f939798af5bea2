import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory } from './data/data-directory';
import { startPlatform } from './platform';
import type { Platform } from './platform';
import { startGateway } from './testing/start-gateway';
import type { StartedGateway } from './testing/start-gateway';

const folder = mkdtempSync(join(tmpdir(), 'itsm-once-'));
let platform: Platform;
let gateways: Readonly<Record<'compiled' | 'apollo', StartedGateway>>;
let token: string;
beforeAll(async () => {
  const data = openDataDirectory(folder);
  const settings = { ALLOW_PLAIN_HTTP: 'true' };
  platform = await startPlatform({ port: 0, data, logLevel: 'error', settings, progress: () => {} });
  const [compiled, apollo] = [await startGateway(platform, 'compiled'), await startGateway(platform, 'apollo')];
  gateways = { compiled, apollo };
  const demo = JSON.parse(readFileSync(data.demoFile, 'utf8')) as {
    accounts: { wdc: { administrator: { personal_access_token: string } } };
  };
  token = demo.accounts.wdc.administrator.personal_access_token;
});
afterAll(async () => {
  for (const gateway of Object.values(gateways)) await gateway.close();
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

const create = (subject: string) =>
  `mutation { requestCreate(input: { subject: "${subject}" }) { request { id subject requestedBy { name } } } }`;
interface Newest {
  readonly data: { readonly requests: { readonly nodes: readonly { readonly subject: string }[] } };
}

async function count(gateway: StartedGateway, subject: string): Promise<number> {
  const { data } = JSON.parse(await gateway.ask(token, '{ requests(last: 20) { nodes { subject } } }')) as Newest;
  return data.requests.nodes.filter((request) => request.subject === subject).length;
}

describe.each(['compiled', 'apollo'] as const)('through the gateway with the executor %s', (executor) => {
  const send = async (key: string, query: string) => {
    const answer = await gateways[executor].send(token, query, {}, { 'idempotency-key': key });
    return { status: answer.status, replayed: answer.headers.get('idempotent-replayed'), text: await answer.text() };
  };

  test('a mutation is made once, and its parts of other services are shown again', async () => {
    const subject = `Once by ${executor}`;
    const first = await send(subject, create(subject));
    expect(first).toMatchObject({ status: 200, replayed: null });
    expect(first.text).toContain(subject);
    expect(await send(subject, create(subject))).toEqual({ ...first, replayed: 'true' });
    expect(await count(gateways[executor], subject)).toBe(1);
    const other = await send(subject, create(`Another by ${executor}`));
    expect(other.text).toContain('Idempotency-Key was used for another call');
    expect(await count(gateways[executor], `Another by ${executor}`)).toBe(0);
  });

  test('of several at once one is made', async () => {
    const subject = `At once by ${executor}`;
    const answers = await Promise.all([1, 2, 3].map(() => send(subject, create(subject))));
    const others = answers.filter(({ replayed, text }) => replayed === null && !text.includes('CALL_STILL_RUNNING'));
    expect(others).toHaveLength(1);
    expect(await count(gateways[executor], subject)).toBe(1);
  });

  test('a key that is too long is refused, and queries need none', async () => {
    expect((await send('k'.repeat(256), create('Too long'))).status).toBe(400);
    expect((await send('k', '{ a: me { id } b: me { id } }')).status).toBe(200);
  });
});

test('REST passes the gateway with its key, in every service', async () => {
  const { url } = gateways.compiled;
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-service-account': 'wdc',
        'content-type': 'application/json',
        'idempotency-key': '"rest"',
      },
      body: JSON.stringify(body),
    });
  for (const [path, body] of [
    ['/v1/webhooks', { event: 'request.create', uri: 'http://127.0.0.1:9/' }],
    ['/v1/ui_extensions', { name: 'Once' }],
    ['/v1/requests', { subject: 'Once by REST' }],
  ] as const) {
    const first = await post(path, body);
    const again = await post(path, body);
    expect([path, first.status, again.status]).toEqual([path, 201, 201]);
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(await again.text()).toBe(await first.text());
  }
});

test('a file is not taken with a key', async () => {
  const body = new FormData();
  body.set('type', 'requests');
  body.set('file', new Blob(['Subject\nOnce by a file\n'], { type: 'text/csv' }), 'requests.csv');
  const headers = { authorization: `Bearer ${token}`, 'x-service-account': 'wdc', 'idempotency-key': 'file' };
  const answer = await fetch(`${gateways.compiled.url}/v1/import`, { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toEqual([400, { message: 'Idempotency-Key is not taken with a file' }]);
});
