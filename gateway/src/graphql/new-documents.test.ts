import { register } from 'prom-client';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { mostInFlight } from '../callers/calls-in-flight';
import { costWindowOf } from '../callers/windows';
import { openPlanningGate } from '../testing/planning-gate';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

const gate = openPlanningGate();
let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway(gate);
});
afterEach(() => {
  gate.release();
});
afterAll(async () => {
  await gateway.close();
  gate.close();
});

/** A document with too many fields to be planned in the serving thread. */
const documentOf = (name: string) => {
  const fields = Array.from({ length: 21 }, (_none, n) => `a${n}: requests(first: 1) { totalCount }`);
  return `query ${name} { ${fields.join(' ')} }`;
};
/** Each call has a caller of its own, so that only the limits of the account count. */
const ask = (accountId: string, query: string) =>
  gateway.post(gateway.auth.issue({ accounts: { [accountId]: ['specialist'] } }), { query }, headersOf(accountId));
const headersOf = (accountId: string) => ({ 'x-service-account': accountId });

const reachedBy = (name: string) => gate.reached.filter(({ query }) => query.includes(name)).map(({ kind }) => kind);
async function waiting(): Promise<number | undefined> {
  const [value] = (await register.getSingleMetric('gateway_new_documents_waiting')?.get())?.values ?? [];
  return value?.value;
}
const untilWaiting = (count: number) =>
  waitUntil(`${count} documents to wait`, async () => (await waiting()) === count);

test('while a new document is planned, known documents are answered', async () => {
  const known = documentOf('Known');
  for (const sight of [1, 2]) expect([sight, (await ask('acme', known)).status]).toEqual([sight, 200]);
  await gate.hold();
  const unknown = ask('greedy', documentOf('Unknown'));
  await waitUntil('the new document', () => reachedBy('Unknown').length === 1);
  expect((await ask('acme', known)).status).toBe(200);
  expect((await ask('acme', '{ me { name } }')).status).toBe(200);
  expect(reachedBy('Unknown')).toEqual(['check']);
  gate.release();
  const response = await unknown;
  expect(await response.json()).toMatchObject({ data: { a0: { totalCount: 2 }, a20: { totalCount: 2 } } });
  expect(reachedBy('Unknown')).toEqual(['check', 'plan']);
});

test('a document is checked before its call is paid for, and planned only afterwards', async () => {
  await gateway.coordination.take([costWindowOf('without points', 5_000)], []);
  const token = gateway.auth.issue({ accounts: { acme: ['specialist'] } }, 'without points');
  const refused = await gateway.post(token, { query: documentOf('Unpaid') }, headersOf('acme'));
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'COST_LIMIT_EXCEEDED' } }] });
  expect(reachedBy('Unpaid')).toEqual(['check']);
});

test('accounts take turns', async () => {
  await gate.hold();
  const greedy = Array.from({ length: 5 }, (_none, n) => ask('greedy', documentOf(`Greedy${n}`)));
  await untilWaiting(5);
  const small = ask('small', documentOf('Small'));
  await untilWaiting(6);
  gate.release();
  expect((await small).status).toBe(200);
  for (const { status } of await Promise.all(greedy)) expect(status).toBe(200);
  const order = gate.reached.map(({ kind, query }) => `${kind} ${/\w+/.exec(query.slice(6))?.[0]}`);
  const first = order.findIndex((one) => one.startsWith('check Greedy'));
  // The one that is in the thread, and the next one of the account whose turn it was.
  expect(order.indexOf('check Small') - first).toBeLessThanOrEqual(2);
});

test('an account runs one call with a new document at a time, from its check to its answer', async () => {
  const release = gateway.graph.hang();
  const calls = Array.from({ length: 4 }, (_none, n) => ask('one', documentOf(`Single${n}`)));
  await waitUntil('the first to be in the service', () => gateway.graph.asked('one') === 1);
  await untilWaiting(4);
  // Accounts take turns, so the thread had time for another document of the first.
  const others = [1, 2].map((n) => ask(`two ${n}`, documentOf(`Two${n}`)));
  await waitUntil('others to be there', () => gateway.graph.asked('two 1') + gateway.graph.asked('two 2') === 2);
  expect([reachedBy('Single').length, gateway.graph.asked('one')]).toEqual([2, 1]);
  release();
  for (const { status } of await Promise.all([...calls, ...others])) expect(status).toBe(200);
});

test('the documents of an account that wait are limited, those of others are not affected', async () => {
  await gate.hold();
  const most = mostInFlight.newDocuments;
  const many = Array.from({ length: most + 1 }, (_none, n) => ask('greedy', documentOf(`Many${n}`)));
  await untilWaiting(most + 1);
  const refused = await ask('greedy', documentOf('OneMore'));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'TOO_MANY_CALLS' } }] });
  const other = ask('small', documentOf('Other'));
  await untilWaiting(most + 2);
  gate.release();
  for (const { status } of await Promise.all([...many, other])) expect(status).toBe(200);
  expect(reachedBy('OneMore')).toEqual([]);
});

test('a call that the thread has not begun is left out when its client leaves', async () => {
  await gate.hold();
  const first = ask('greedy', documentOf('First'));
  await untilWaiting(1);
  const leaving = new AbortController();
  const left = fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    signal: leaving.signal,
    body: JSON.stringify({ query: documentOf('Left') }),
    headers: {
      ...headersOf('greedy'),
      'content-type': 'application/json',
      authorization: `Bearer ${gateway.auth.issue({ accounts: { greedy: ['specialist'] } })}`,
    },
  }).catch(() => 'left');
  await untilWaiting(2);
  leaving.abort();
  expect(await left).toBe('left');
  await untilWaiting(1);
  gate.release();
  expect((await first).status).toBe(200);
  expect(reachedBy('Left')).toEqual([]);
});

test('equal documents at once are checked and planned once', async () => {
  await gate.hold();
  const equal = ['acme', 'acme', 'small'].map((accountId) => ask(accountId, documentOf('Equal')));
  await untilWaiting(3);
  gate.release();
  for (const { status } of await Promise.all(equal)) expect(status).toBe(200);
  expect(reachedBy('Equal')).toEqual(['check', 'plan']);
});

test.each([
  ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ['{ me { name }', 'GRAPHQL_PARSE_FAILED'],
  ['{ requests { totalCount } }', 'MISSING_PAGINATION'],
  ['query A { me { name } } query B { me { name } }', 'BAD_USER_INPUT'],
  ['{ request(id: 1) { ...a } } fragment a on Request { parent { ...a } }', 'GRAPHQL_VALIDATION_FAILED'],
])('%s is refused with the same errors in both threads', async (query, code) => {
  const short = await ask('acme', query);
  const long = await ask('acme', `${query} # ${'x'.repeat(500)}${code}`);
  const { errors } = (await short.json()) as { errors: object[] };
  expect(errors[0]).toMatchObject({ extensions: { code } });
  const found = (await long.json()) as { errors: { message: string }[] };
  // Only the end of the document, where the parser stops, stands elsewhere.
  expect({ status: long.status, ...found }).toEqual({
    status: short.status,
    errors: code === 'GRAPHQL_PARSE_FAILED' ? [expect.objectContaining({ extensions: { code } })] : errors,
  });
  expect(reachedBy('x'.repeat(500) + code)).toContain('check');
});

test('when the thread ends, its call is refused and the next one answered', async () => {
  const refused = await ask('acme', `${documentOf('Fatal')} # die`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] });
  expect((await ask('acme', documentOf('After'))).status).toBe(200);
});
