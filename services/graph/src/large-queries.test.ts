import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { largeCallHeader } from '@itsm/shared/api/graphql/large-query';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGraph } from './testing/start-graph';
import type { Client, RunningGraph } from './testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let client: Client;
/**
 * Reads of the account by the main thread's connection (the worker thread has its own). The relay's polls of the outbox
 * concern all accounts and are not counted.
 */
let reads: number;
beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys, undefined, { hasThread: true });
  await graph.publishPerson({ id: 2, accountId: 'wdc', name: 'Sam' });
  for (let n = 1; n <= 5; n += 1)
    await graph.app.seed.ensureRequest('wdc', { source: 's', sourceID: String(n), subject: `S${n}`, requestedById: 2 });
  client = graph.as('specialist', { sub: '2' });
  graph.connection.getClient().on('commandStarted', ({ command }: { command: Readonly<Record<string, unknown>> }) => {
    const isRead = ['find', 'aggregate', 'count'].some((name) => command[name] === 'requests');
    reads += Number(isRead && JSON.stringify(command).includes('"accountId":"wdc"'));
  });
});
beforeEach(() => void (reads = 0));
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const large = { [largeCallHeader]: 'true' };
const query = `query Large($first: Int!) { requests(first: $first) { totalCount nodes {
  id subject requestedBy { id } requestedFor { requests(first: $first) { nodes { id subject createdAt } } }
} } }`;

test('a large query has the same answer in the worker thread, errors included', async () => {
  const usual = await client.graphql(query, { first: 5 });
  expect(usual.errors).toBeUndefined();
  expect(reads).toBeGreaterThan(0);
  reads = 0;
  expect(await client.graphql(query, { first: 5 }, large)).toEqual(usual);
  expect(reads).toBe(0);
  const faulty =
    '{ requests(first: 1, filter: { subject: { values: ["x"] }, team: { values: ["junk"] } }) { totalCount } }';
  const refused = await client.graphql(faulty);
  expect(refused.errors).toBeDefined();
  expect(await client.graphql(faulty, {}, large)).toEqual(refused);
  const unknown = '{ nothing }';
  expect(await client.graphql(unknown, {}, large)).toEqual(await client.graphql(unknown));
});

test('another account sees no more in the worker thread', async () => {
  const foreign = graph.as('specialist', { sub: '2' }, 'acme');
  expect(await foreign.ask('requests', '{ requests(first: 5) { totalCount } }')).toEqual({ totalCount: 0 });
  expect(await foreign.graphql('{ requests(first: 5) { totalCount } }', {}, large)).toEqual({
    data: { requests: { totalCount: 0 } },
  });
});

test('mutations run in the main thread', async () => {
  const create = 'mutation { requestCreate(input: { subject: "X" }) { errors { message } } }';
  expect(await client.graphql(create, {}, large)).toEqual({ data: { requestCreate: { errors: [] } } });
  await waitUntil('its event', () => graph.events.length > 0);
});
