import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { shadowQueries } from './shadow-metrics';
import { patienceMilliseconds } from '../transport/breaker';

let gateway: StartedGateway;
beforeEach(async () => {
  shadowQueries.reset();
  gateway = await startGateway({ env: { SHADOW_RATIO: '1' } });
}, 60_000);
afterEach(() => gateway.close());

async function outcomes(): Promise<Record<string, number>> {
  const { values } = await shadowQueries.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
}
const counted = (outcome: string, times: number) =>
  waitUntil(`${outcome} ${times} times`, async () => (await outcomes())[outcome] === times);

test('a query is run by both executors and paid once, a mutation is run by one', async () => {
  const token = gateway.auth.issue();
  const query = '{ requests(first: 2) { nodes { subject requestedBy { name } } } rateLimit { remaining } }';
  const { data } = (await (await gateway.post(token, { query })).json()) as { data: { rateLimit: object } };
  expect(data.rateLimit).toEqual({ remaining: 4999 });
  await counted('same', 1);
  expect(gateway.executions()).toBe(2);
  await gateway.post(token, { query: 'mutation { requestCreate(subject: "x") { request { id } } }' });
  const next = await gateway.post(token, { query: '{ rateLimit { remaining } }' });
  expect(await next.json()).toEqual({ data: { rateLimit: { remaining: 4997 } } });
  await counted('same', 2);
  expect(gateway.executions()).toBe(3);
});

test('errors, nodes and introspection are answered alike', async () => {
  const token = gateway.auth.issue();
  const queries = [
    '{ request(id: 1) { id } me { id supportID } }',
    '{ node(id: "x") { id } __type(name: "Person") { name } }',
  ];
  for (const query of queries) await gateway.post(token, { query });
  await counted('same', 2);
  expect(await outcomes()).toEqual({ same: 2 });
});

test('a service that hangs in the shadow is not left alone by those who wait for it', async () => {
  await gateway.close();
  let passed = 0;
  const now = () => new Date(Date.now() + passed);
  gateway = await startGateway({ env: { SHADOW_RATIO: '1' }, deadlineMilliseconds: 300, now });
  const token = gateway.auth.issue();
  await gateway.post(token, { query: '{ me { id } }' });
  await counted('same', 1);
  gateway.graph.hang();
  for (let call = 0; call < 2; call += 1) await gateway.post(token, { query: '{ requests(first: 1) { totalCount } }' });
  await counted('same', 3);
  // Two calls and their shadows are four failures; a breaker that counted the shadows' as well would open with the next.
  passed = patienceMilliseconds;
  const before = gateway.graph.asked();
  for (let call = 0; call < 3; call += 1) await gateway.post(token, { query: '{ requests(first: 1) { totalCount } }' });
  await counted('same', 6);
  // Each for itself and for its shadow.
  expect(gateway.graph.asked()).toBe(before + 6);
});
