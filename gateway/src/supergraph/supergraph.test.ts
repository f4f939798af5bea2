import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '@itsm/shared/running/listen';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from '../app';
import { loadConfig } from '../config';
import { compose } from './supergraph-source';
import type { PlanningOptions } from './module';
import { createFakeAuth, introspectionSecret } from '../testing/fake-auth';
import { openPlanningGate } from '../testing/planning-gate';
import { testedExecutor } from '../testing/start-services';

/** A service whose schema the test can change; it answers every operation with `answer`. */
interface Changing {
  sdl: string | undefined;
  answer: string;
  /** The number of schema requests. */
  asked?: number;
  /** The headers of the latest operation. */
  headers?: IncomingHttpHeaders;
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(changing: Changing, env: Record<string, string> = {}, planning: PlanningOptions = {}) {
  const keys = await startCallerKeys();
  closers.push(() => keys.close());
  const auth = createFakeAuth(keys, systemClock);
  const service = createServer((req, res) => {
    if (req.url === '/v1/types') {
      res.writeHead(404).end();
      return;
    }
    if (req.method === 'POST') changing.headers = req.headers;
    if (req.method === 'GET') changing.asked = (changing.asked ?? 0) + 1;
    if (req.method === 'POST') res.setHeader('Content-Type', 'application/json').end(changing.answer);
    else if (changing.sdl === undefined) res.writeHead(500).end();
    else res.end(changing.sdl);
  });
  const graphUrl = await open(service);
  const authUrl = await open(createServer(auth.http));
  const app = createApp({
    config: loadConfig({
      BASE_URL: 'http://localhost:4000',
      ACCOUNT_URL: 'http://localhost:4000/accounts/{account}',
      AUTH_URL: authUrl,
      GRAPH_URL: graphUrl,
      WEBHOOKS_URL: authUrl,
      WEBHOOK_DELIVERY_URL: authUrl,
      UI_EXTENSIONS_URL: authUrl,
      INTROSPECTION_SECRET: introspectionSecret,
      ...testedExecutor,
      ...env,
    }),
    coordination: createMemoryCoordination({ now: systemClock }),
    sharedRevisions: true,
    logger: silentLogger,
    now: systemClock,
    schemaPollMilliseconds: 20,
    planning,
    // Ten times that of a deployment, so that a slow machine fails no test.
    callMilliseconds: 90_000,
  });
  await app.start();
  const listening = await listen(app, 0, '127.0.0.1');
  closers.push(async () => {
    listening.server.closeAllConnections();
    await listening.close();
    await app.stop();
  });
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${listening.port}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${auth.issue()}`,
        'content-type': 'application/json',
        'x-service-account': 'wdc',
        ...headers,
      },
      body: JSON.stringify({ query }),
    });
    return { status: response.status, body: (await response.json()) as object };
  };
  return { app, auth, ask };
}

const firstSdl = 'type Query { old: String list: [String] }';

test('until every service has reported its schema GraphQL is 503, then it answers', async () => {
  const changing: Changing = { sdl: undefined, answer: '{"data":{"old":"yes"}}' };
  const { app, ask } = await start(changing);
  const refused = await ask('{ old }');
  expect(refused.status).toBe(503);
  expect(refused.body).toMatchObject({
    message: 'The schema is being put together; try again in a moment',
    errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
  });
  changing.sdl = firstSdl;
  await app.ready();
  expect((await ask('{ old }')).body).toEqual({ data: { old: 'yes' } });
});

test('a full store is 507, or a part of an answer that has data', async () => {
  const refused = (path: string) => ({ message: 'full', path: [path], extensions: { code: 'INSUFFICIENT_STORAGE' } });
  const changing: Changing = { sdl: firstSdl, answer: '' };
  const { app, ask } = await start(changing);
  await app.ready();
  changing.answer = JSON.stringify({ data: { old: null }, errors: [refused('old')] });
  expect(await ask('{ old }')).toEqual({ status: 507, body: { errors: [refused('old')], data: { old: null } } });
  changing.answer = JSON.stringify({ data: { old: 'yes', list: null }, errors: [refused('list')] });
  expect(await ask('{ old list }')).toMatchObject({ status: 200, body: { data: { old: 'yes' } } });
});

test("the client's language headers are forwarded to services", async () => {
  const changing: Changing = { sdl: firstSdl, answer: '{"data":{"old":"yes"}}' };
  const { app, ask } = await start(changing);
  await app.ready();
  const asked = { 'accept-language': 'nl;q=0.9, fr', 'x-service-language': 'de' };
  await ask('{ old }', asked);
  expect(changing.headers).toMatchObject(asked);
  await ask('{ old }', { 'accept-language': 'fr' });
  expect(changing.headers).toMatchObject({ 'accept-language': 'fr' });
  expect(changing.headers).not.toHaveProperty('x-service-language');
});

test('a changed schema takes the place of the old one, a broken one does not', async () => {
  const changing: Changing = { sdl: firstSdl, answer: '{"data":{"new":"yes"}}' };
  const { app, ask } = await start(changing);
  await app.ready();
  expect((await ask('{ new }')).body).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  });
  changing.sdl = `${firstSdl.slice(0, -1)} new: String }`;
  await waitUntil('the new schema', async () => 'data' in (await ask('{ new }')).body);
  changing.sdl = 'type Query { new: ';
  const asked = changing.asked ?? 0;
  await waitUntil('the broken schema to be read', () => (changing.asked ?? 0) > asked + 2);
  expect((await ask('{ new }')).body).toEqual({ data: { new: 'yes' } });
  expect(app.schemaState()).toEqual({ isComposed: true, refusal: expect.stringContaining('Syntax Error') as string });
  changing.sdl = 'type Query { old: String list: [String] new: String newest: String }';
  await waitUntil('the newest schema', async () => !('errors' in (await ask('{ newest }')).body));
  expect(app.schemaState()).toEqual({ isComposed: true, refusal: undefined });
});

test('a new document that the old graph plans is answered; then its thread ends, and the new graph plans', async () => {
  const gate = openPlanningGate();
  closers.push(() => Promise.resolve(gate.close()));
  const names = Array.from({ length: 21 }, (_none, n) => `a${n}`);
  const documentOf = (name: string, field: string) =>
    `query ${name} { ${names.map((one) => `${one}: ${field}`).join(' ')} } # ${'long '.repeat(100)}`;
  const data = Object.fromEntries(names.map((one) => [one, 'yes']));
  const changing: Changing = { sdl: firstSdl, answer: JSON.stringify({ data: { ...data, new: 'yes' } }) };
  const { app, auth, ask } = await start(changing, {}, { ...gate.planning, idleMilliseconds: 1 });
  await app.ready();
  const reachedBy = (name: string) => gate.reached.filter(({ query }) => query.includes(`query ${name} `));
  const threadOf = (name: string) => reachedBy(name)[0]?.thread ?? 0;

  await gate.hold();
  const old = ask(documentOf('Old', 'old'));
  await waitUntil('the document in the old thread', () => reachedBy('Old').length === 1);
  changing.sdl = `${firstSdl.slice(0, -1)} new: String }`;
  await waitUntil('the new schema', async () => 'data' in (await ask('{ new }')).body);
  // An account runs one call with a new document at a time.
  const other = auth.issue({ accounts: { acme: ['specialist'] } });
  const ofOther = { authorization: `Bearer ${other}`, 'x-service-account': 'acme' };
  expect(await ask(documentOf('New', 'new'), ofOther)).toEqual({ status: 200, body: { data } });
  expect(threadOf('New')).not.toBe(threadOf('Old'));
  expect(gate.hasEnded(threadOf('Old'))).toBe(false);

  gate.release();
  expect(await old).toEqual({ status: 200, body: { data } });
  expect(reachedBy('Old').map(({ kind }) => kind)).toEqual(['check', 'plan']);
  for (const { thread } of reachedBy('Old')) await waitUntil('the old thread to end', () => gate.hasEnded(thread));
  expect(await ask(documentOf('Later', 'new'))).toEqual({ status: 200, body: { data } });
  expect(threadOf('Later')).toBe(threadOf('New'));
  expect(gate.hasEnded(threadOf('New'))).toBe(false);
});

test.each([
  ['takes a field away', 'type Query { list: [String] }', 'Query.old was removed'],
  ['changes a type', 'type Query { old: Int list: [String] }', 'Query.old changed type from String to Int'],
  [
    'asks for an argument',
    'type Query { old(n: Int!): String list: [String] }',
    'required arg n on Query.old was added',
  ],
])('a schema that %s is refused while clients may use it', async (_name, sdl, reason) => {
  const changing: Changing = { sdl: firstSdl, answer: '{"data":{"old":"yes"}}' };
  const { app, ask } = await start(changing);
  await app.ready();
  changing.sdl = sdl;
  await waitUntil('the refusal', () => app.schemaState().refusal !== undefined);
  expect(app.schemaState().refusal).toContain(reason);
  expect((await ask('{ old }')).body).toEqual({ data: { old: 'yes' } });
});

test('an operator can accept a breaking schema', async () => {
  const changing: Changing = { sdl: firstSdl, answer: '{"data":{"new":"yes"}}' };
  const { app, ask } = await start(changing, { BREAKING_SCHEMA_CHANGES: 'accept' });
  await app.ready();
  changing.sdl = 'type Query { new: String }';
  await waitUntil('the new schema', async () => 'data' in (await ask('{ new }')).body);
  expect(app.schemaState().refusal).toBeUndefined();
});

test('a fixed graph is served whatever the services report', async () => {
  const sdls = new Map([['graph', 'type Query { fixed: String }']]);
  const changing: Changing = { sdl: firstSdl, answer: '{"data":{"fixed":"yes"}}' };
  const { ask } = await start(changing, { SUPERGRAPH: compose(sdls) });
  expect((await ask('{ fixed rateLimit { limit } }')).body).toEqual({
    data: { fixed: 'yes', rateLimit: { limit: 5000 } },
  });
  expect(changing.asked).toBeUndefined();
});

test('an invalid fixed graph fails the start', async () => {
  await expect(start({ sdl: firstSdl, answer: '{}' }, { SUPERGRAPH: 'type Query { x: ' })).rejects.toThrow(
    'Syntax Error',
  );
});

test.each([
  ['no JSON', 'oops'],
  ['a list', '[]'],
  ['neither data nor errors', '{"message":"connect ECONNREFUSED mongodb://secret"}'],
  ['errors that are none', '{"errors":"mongodb://secret"}'],
])('a service that answers %s is unavailable, and its text is not shown', async (_name, answer) => {
  const { app, ask } = await start({ sdl: firstSdl, answer });
  await app.ready();
  expect(await ask('{ old rateLimit { cost } }')).toEqual({
    status: 200,
    body: {
      data: { old: null, rateLimit: { cost: 1 } },
      errors: [{ message: 'Service Unavailable', path: ['old'], extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    },
  });
});

test('an answer over the size limit is an error that says what to do, and does not open the breaker', async () => {
  const answer = JSON.stringify({ data: { old: 'x'.repeat(17 * 1024 * 1024) } });
  const { app, ask } = await start({ sdl: firstSdl, answer });
  await app.ready();
  for (let call = 0; call < 6; call += 1)
    expect((await ask('{ old rateLimit { cost } }')).body).toEqual({
      data: { old: null, rateLimit: { cost: 1 } },
      errors: [
        {
          message: 'This part of the answer is longer than 16 MB. Ask for fewer fields or smaller pages.',
          extensions: { code: 'ANSWER_TOO_LARGE' },
        },
      ],
    });
});

test('an error of a service without a code shows no detail', async () => {
  const answer = JSON.stringify({ data: { old: null }, errors: [{ message: 'mongodb://secret', path: ['old'] }] });
  const { app, ask } = await start({ sdl: firstSdl, answer });
  await app.ready();
  expect((await ask('{ old }')).body).toEqual({
    data: { old: null },
    errors: [{ message: 'Internal Server Error', path: ['old'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
  });
});

test('an error of a service shows its message and code and nothing else', async () => {
  const error = {
    message: 'No',
    path: ['old'],
    extensions: { code: 'FORBIDDEN', stacktrace: ['at x'], serviceName: 'graph', exception: {} },
  };
  const { app, ask } = await start({ sdl: firstSdl, answer: JSON.stringify({ data: { old: null }, errors: [error] }) });
  await app.ready();
  expect((await ask('{ old }')).body).toEqual({
    data: { old: null },
    errors: [{ message: 'No', path: ['old'], extensions: { code: 'FORBIDDEN' } }],
  });
});
