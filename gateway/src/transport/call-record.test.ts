import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { executorNames } from '../testing/start-executors';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

const root = join(__dirname, '../../..');
const query = 'query Page_1($first: Int!) { requests(first: $first) { nodes { subject } } }';
const page = (first = 2) => ({ query, variables: { first } });

describe.each(executorNames)('the line of a call, with the executor %s', (EXECUTOR) => {
  const clock = createTestClock();
  let gateway: StartedGateway;
  let written: string[] = [];
  beforeAll(async () => {
    const logger = createLogger('gateway', 'info', (line) => written.push(line));
    gateway = await startGateway({ env: { EXECUTOR }, logger, now: clock.now });
  });
  beforeEach(() => (written = []));
  afterAll(() => gateway.close());

  /** The line of the only call since the test began. */
  async function lineOfCall(): Promise<Record<string, unknown>> {
    const lines = () => written.filter((line) => line.includes('"message":"request"'));
    await waitUntil('the line', () => lines().length > 0);
    expect(lines()).toHaveLength(1);
    return JSON.parse(lines()[0] ?? '') as Record<string, unknown>;
  }

  let release = (): void => undefined;
  // Also after a failure, so that the other tests do not wait.
  afterEach(() => release());

  /** Makes a call during which graph takes a second and a half. */
  async function slowly(call: () => Promise<Response>): Promise<Response> {
    const before = gateway.graph.asked();
    release = gateway.graph.hang();
    const answer = call();
    await waitUntil('the call at graph', () => gateway.graph.asked() > before);
    clock.pass(1_500);
    release();
    return answer;
  }

  const authorized = (token: string) => ({ authorization: `Bearer ${token}`, 'x-service-account': 'wdc' });

  test('of GraphQL has who called, the operation, its points and the time of each service', async () => {
    const token = gateway.auth.issue({ sub: '7', application: 5, home: 'labs' });
    const answer = await slowly(() => gateway.post(token, page()));
    expect(await lineOfCall()).toMatchObject({
      accountId: 'wdc',
      personId: 7,
      applicationId: 5,
      operation: 'Page_1',
      points: Number(answer.headers.get('x-costlimit-cost')),
      milliseconds: 1_500,
      upstream: { auth: 0, graph: 1_500 },
      requestId: answer.headers.get('x-request-id'),
    });
  });

  test('of REST has the same; a person without an application is one', async () => {
    const token = gateway.auth.issue({ sub: '7' });
    await slowly(() => gateway.get('/v1/requests', authorized(token)));
    const line = await lineOfCall();
    expect(line).toMatchObject({ accountId: 'wdc', personId: 7, path: '/v1/requests', upstream: { graph: 1_500 } });
    expect(line).not.toHaveProperty('applicationId');
    expect(line).not.toHaveProperty('points');
  });

  test('has the time of a service although the client did not wait for it', async () => {
    const token = gateway.auth.issue();
    const leaving = new AbortController();
    const before = gateway.graph.asked();
    release = gateway.graph.hang();
    const headers = { ...authorized(token), 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(page()), signal: leaving.signal };
    const left = fetch(`${gateway.url}/graphql`, sent).catch(() => 'left');
    await waitUntil('the call at graph', () => gateway.graph.asked() > before);
    clock.pass(3_000);
    leaving.abort();
    await left;
    expect(await lineOfCall()).toMatchObject({ finished: false, upstream: { graph: 3_000 } });
    release();
  });

  test('has the name of an operation to 64 characters, and neither document, variables, name nor address', async () => {
    const token = gateway.auth.issue({ name: 'Ellen Brown' });
    const name = 'N'.repeat(5_000);
    const document = `query ${name}($text: String = "ellen@wdc.example") { me { name @include(if: true) } requests(first: 1, after: $text) { totalCount } }`;
    await gateway.post(token, { query: document, variables: { text: 'a value' }, operationName: name });
    const line = await lineOfCall();
    expect(line).toMatchObject({ accountId: 'wdc', operation: 'N'.repeat(64) });
    const text = JSON.stringify(line);
    for (const kept of ['ellen', 'Ellen', 'a value', 'totalCount', token, '127.0.0.1'])
      expect(text).not.toContain(kept);
  });

  test('of a path with an address of a person does not have it', async () => {
    await gateway.get('/v1/people/ellen@wdc.example', authorized(gateway.auth.issue()));
    expect(await lineOfCall()).toMatchObject({ path: '/v1/people/[redacted]' });
  });

  test('of a refused call names the account of the person, and nothing before the token is known', async () => {
    const token = gateway.auth.issue({ sub: '7', home: 'labs' });
    const foreign = { ...authorized(token), 'x-service-account': 'acme' };
    expect((await gateway.get('/v1/requests', foreign)).status).toBe(403);
    expect(await lineOfCall()).toMatchObject({ accountId: 'labs', personId: 7, status: 403 });
    written = [];
    gateway.auth.revoke(token);
    await gateway.coordination.bump(['revision:account:wdc']);
    expect((await gateway.get('/v1/requests', authorized(token))).status).toBe(401);
    const line = await lineOfCall();
    expect(line).not.toHaveProperty('accountId');
    expect(line).toMatchObject({ status: 401, upstream: { auth: 0 } });
  });

  test('leads to the account by the command of the runbook', async () => {
    for (const [account, calls, milliseconds] of [
      ['wdc', 3, 100],
      ['acme', 1, 9_000],
    ] as const) {
      const token = gateway.auth.issue({ accounts: { [account]: ['specialist'] }, home: account });
      for (let call = 0; call < calls; call += 1) {
        const before = gateway.graph.asked();
        release = gateway.graph.hang();
        const answer = gateway.post(token, page(), { 'x-service-account': account });
        await waitUntil('the call at graph', () => gateway.graph.asked() > before);
        clock.pass(milliseconds);
        release();
        await answer;
      }
    }
    await waitUntil('four lines', () => written.filter((line) => line.includes('"message":"request"')).length === 4);
    const runbook = readFileSync(join(root, 'docs/runbooks/AnswersAreSlow.md'), 'utf8');
    const [, command = ''] = /logs .*gateway.* \| (npm run .*)$/m.exec(runbook) ?? [];
    const input = [...written, 'not JSON', '{"message":"request"}', '{broken']
      .map((line) => `gateway-1 | ${line}\n`)
      .join('');
    const { stdout, stderr } = spawnSync(command, { input, cwd: root, shell: true, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((row) => row.split('\t')),
    ).toEqual([
      ['accountId', 'seconds', 'calls', 'slowest', 'points', 'seconds at services'],
      ['acme', '9.0', '1', '9.0', expect.stringMatching(/^[1-9]\d*$/), 'graph 9.0, auth 0.0'],
      ['wdc', '0.3', '3', '0.1', expect.stringMatching(/^[1-9]\d*$/), 'graph 0.3, auth 0.0'],
    ]);
  });
});

test.each([
  ['request-of-a-proxy', 'request-of-a-proxy'],
  ['short', expect.stringMatching(/^[\da-f-]{36}$/)],
  ['x'.repeat(65), expect.stringMatching(/^[\da-f-]{36}$/)],
  ['with spaces', expect.stringMatching(/^[\da-f-]{36}$/)],
  ['"},{"level":"error', expect.stringMatching(/^[\da-f-]{36}$/)],
])('the id %j of a trusted proxy becomes %j in the answer, the line and at the service', async (given, expected) => {
  const written: string[] = [];
  const logger = createLogger('gateway', 'info', (line) => written.push(line));
  const gateway = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' }, logger });
  const authorization = `Bearer ${gateway.auth.issue()}`;
  const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
  const headers = { authorization, 'x-service-account': 'wdc', 'x-request-id': given, ...forwarded };
  const answer = await gateway.get('/v1/webhooks/1', headers);
  const id = answer.headers.get('x-request-id');
  expect(id).toEqual(expected);
  expect(await answer.json()).toMatchObject({ headers: { 'x-request-id': id } });
  await waitUntil('the line', () => written.some((line) => line.includes(`"requestId":"${id}"`)));
  await gateway.close();
});
