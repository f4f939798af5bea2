import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { largeCallNodes, mostInFlight } from '../callers/calls-in-flight';
import type { ExecutionContext } from '../execution/executor';
import { generatedSupergraph } from '../testing/generated-graph';
import { generatedSchema } from '../testing/start-executors';
import { createDocuments } from './documents';
import { createLargeCalls } from './large-calls';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
const clock = createTestClock();
beforeAll(async () => {
  gateway = await startGateway({ now: clock.now });
});
afterAll(() => gateway.close());

const fields = 'nodes { __typename id subject requestedBy { name } }';
const small = `{ a: requests(first: 100) { ${fields} } rateLimit { cost nodeCount breakdown { path } } }`;
const connections = Math.ceil(largeCallNodes / 100);
const aliases = Array.from({ length: connections }, (_none, n) => `a${n}: requests(first: 100) { ${fields} }`);
const large = `query Large { ${aliases.join(' ')} rateLimit { cost nodeCount breakdown { path } } }`;

async function ask(token: string, query: string) {
  clock.pass(3_000);
  const response = await gateway.post(token, { query });
  const body = (await response.json()) as { data: Record<string, unknown>; errors?: unknown };
  return { status: response.status, ...body };
}

test('a large call is answered as a small one, fields of several services and of the gateway included', async () => {
  const token = gateway.auth.issue();
  const answers = [await ask(token, small), await ask(token, large)];
  expect(answers.map(({ status, errors }) => [status, errors])).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  const [one, many] = answers.map(({ data }) => data);
  expect(Object.keys(many ?? {})).toEqual([...aliases.map((_alias, n) => `a${n}`), 'rateLimit']);
  for (let n = 0; n < connections; n += 1) expect(many?.[`a${n}`]).toEqual(one?.['a']);
  expect(many?.['rateLimit']).toMatchObject({ nodeCount: connections * 100 });
});

test('an unreachable service nulls its own fields in a large call', async () => {
  await gateway.graph.stop();
  const { status, data, errors } = await ask(gateway.auth.issue(), large);
  await gateway.graph.start();
  expect(status).toBe(200);
  expect(errors).toContainEqual(expect.objectContaining({ extensions: { code: 'SERVICE_UNAVAILABLE' } }));
  expect(data).toMatchObject({ a0: null, rateLimit: { nodeCount: connections * 100 } });
});

test('large calls of an account run one at a time; those beyond the queue are refused, other accounts are not affected', async () => {
  const started = await startGateway({ now: clock.now });
  const leaving = new AbortController();
  const call = (accountId: string) => {
    clock.pass(3_000);
    return fetch(`${started.url}/graphql`, {
      method: 'POST',
      signal: leaving.signal,
      body: JSON.stringify({ query: large }),
      headers: {
        'content-type': 'application/json',
        'x-service-account': accountId,
        authorization: `Bearer ${started.auth.issue({ accounts: { [accountId]: ['specialist'] } })}`,
      },
    });
  };
  // From the second time on the document is known, so that its calls do not wait as those of new ones.
  for (let sights = 0; sights < 2; sights += 1) expect((await call('wdc')).status).toBe(200);
  const before = started.graph.asked();
  started.graph.hang();
  const calls = Array.from({ length: 2 + mostInFlight.waitingLarge }, () => call('wdc').catch(() => undefined));
  const refused = await Promise.race(calls);
  expect(refused?.status).toBe(429);
  expect(await refused?.json()).toMatchObject({ errors: [{ extensions: { code: 'TOO_MANY_CALLS' } }] });
  // One call of the account is at the service, the others wait; another account does not wait.
  await waitUntil('the service to be asked', () => started.graph.asked() === before + 1);
  const other = call('acme').catch(() => undefined);
  await waitUntil('the service to be asked for the other account', () => started.graph.asked() === before + 2);
  leaving.abort();
  await Promise.all([...calls, other]);
  await waitUntil('the service to be left', () => started.graph.abandoned() === 2);
  await started.close();
});

test('the end of an idle thread fails no call of the next one; close fails the calls in flight', async () => {
  const setup = { supergraphSdl: generatedSupergraph(), executor: 'compiled' } as const;
  const calls = createLargeCalls(setup, new Map(), silentLogger, 0);
  const operation = createDocuments(generatedSchema)('{ __typename }', undefined);
  if (operation.kind === 'refused') throw new Error('the operation is refused');
  const context = { requestId: 'r', rateLimit: { breakdown: () => [] } } as unknown as ExecutionContext;
  const run = async () => {
    const { data } = await calls.execute({ operation, variables: {}, coerced: {}, context });
    return JSON.parse(Buffer.from(data as Uint8Array).toString()) as unknown;
  };
  expect(await run()).toEqual({ __typename: 'Query' });
  // Timers of equal length fire in the order of their start, so the idle timer (0 ms as well) has fired by then.
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(await run()).toEqual({ __typename: 'Query' });
  const underWay = run();
  calls.close();
  await expect(underWay).rejects.toThrow('the thread for large calls ended');
  await expect(run()).rejects.toThrow('the thread for large calls ended');
});
