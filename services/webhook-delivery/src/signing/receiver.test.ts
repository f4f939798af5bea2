import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, startPlatform } from '../testing/platform';
import type { Platform } from '../testing/platform';
import { newKey, requestSigned, savePolicy } from '../testing/signing-policies';

const root = join(__dirname, '../../../..');
const page = readFileSync(join(root, 'docs/api/webhooks.md'), 'utf8');
const codeOf = (language: string): string =>
  new RegExp(`<!-- receiver: ${language} -->\\s+\`\`\`\\w+\\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';

let platform: Platform;
let open: { close(): Promise<unknown> }[] = [];
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()));
  open = [];
  await platform.clear();
});
afterAll(() => platform.close());

/** Serves the key in a discovery document and JWKS, as a policy does. */
async function publish(key: ReturnType<typeof newKey>): Promise<string> {
  const jwk = { ...key.verifier.export({ format: 'jwk' }), kid: key.kid, alg: 'ES256', use: 'sig' };
  const server: Server = createServer((req, res) => {
    const document = { issuer, jwks_uri: `${issuer}/jwks`, id_token_signing_alg_values_supported: ['ES256'] };
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(req.url === '/jwks' ? { keys: [jwk] } : document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  open.push({ close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))) });
  return issuer;
}

/** Starts the documented receiver as a child process; `said` collects its output. */
async function startReceiver(command: readonly [string, ...string[]], issuer: string) {
  const [program, ...args] = command;
  const env = { PATH: process.env['PATH'], ISSUER: issuer, WEBHOOK_ID: '7', AUDIENCE: 'me', PORT: '0' };
  const child: ChildProcess = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  open.push({ close: () => (child.kill('SIGKILL'), exited) });
  const said = (text: string) =>
    waitUntil(
      () => `the receiver to say ${text}\n${output}`,
      () => output.includes(text),
    );
  await said('listening on ');
  const port = /listening on (\d+)/.exec(output)?.[1];
  return { uri: `http://127.0.0.1:${port}/hook`, said, output: () => output };
}

const commands = [['node', [process.execPath, '--input-type=module', '-e', codeOf('node')]]] as const;

test.each(commands)(
  'the receiver in %s takes signed deliveries, proves itself and refuses what is forged',
  async (_language, command) => {
    const key = newKey('es256');
    const issuer = await publish(key);
    const receiver = await startReceiver([...command] as [string, ...string[]], issuer);
    const service = await platform.start();
    const policy = {
      audience: 'me',
      expiresInMinutes: 5,
      issuers: { account: 'https://wdc.example', discovery: issuer },
    };
    await savePolicy(service, [[key, 0]], policy);
    const send = async (data: object) => {
      const { deliveryId } = await requestSigned(service, receiver.uri, true, JSON.stringify(data));
      return waitUntil('its result', () => service.results.find((result) => result.deliveryId === deliveryId));
    };

    const callback = await platform.receiver(answer(200));
    expect(await send({ event: 'webhook.verify', payload: { callback: `${callback.uri}?code=x` } })).toMatchObject({
      status: 204,
    });
    await waitUntil('the callback', () => callback.calls.some(({ path }) => path === '/hook?code=x'));
    expect(await send({ event: 'request.create', object_id: 70_451, payload: { status: 'assigned' } })).toMatchObject({
      status: 204,
    });
    await receiver.said('request.create of 70451: {"status":');

    const unsigned = await fetch(receiver.uri, { method: 'POST', body: '{"webhook_id":7}' });
    expect(unsigned.status).toBe(401);
    await savePolicy(service, [[newKey('es256'), 0]], { ...policy, version: 2 });
    expect(await send({ event: 'request.update', object_id: 1, payload: {} })).toMatchObject({
      status: 401,
      fault: 'receiver',
    });
    expect(receiver.output()).not.toContain('request.update');
  },
);

test('the page has a receiver in Node, Python and Ruby', () => {
  for (const language of ['node', 'python', 'ruby']) expect(codeOf(language).length).toBeGreaterThan(500);
});
