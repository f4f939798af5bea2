import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { shadowQueries } from './shadow';

let gateway: StartedGateway;
beforeEach(async () => {
  shadowQueries.reset();
  gateway = await startGateway({ env: { SHADOW_RATIO: '1' } });
});
afterEach(() => gateway.close());

async function outcomes(): Promise<Record<string, number>> {
  const { values } = await shadowQueries.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
}
const counted = (outcome: string, times: number) =>
  waitUntil(`${outcome} ${times} times`, async () => (await outcomes())[outcome] === times);

test('a query runs in both executors and is charged once, a mutation runs in one', async () => {
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

test('errors, nodes and introspection are the same', async () => {
  const token = gateway.auth.issue();
  const queries = [
    '{ request(id: 1) { id } me { id supportID } }',
    '{ node(id: "x") { id } __type(name: "Person") { name } }',
  ];
  for (const query of queries) await gateway.post(token, { query });
  await counted('same', 2);
  expect(await outcomes()).toEqual({ same: 2 });
});
