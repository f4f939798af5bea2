import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { createIncrementalCopy, fetchWhileOthersWrite } from '@itsm/shared/testing/incremental-copy';
import { startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

const seed = Number(process.env['SEED'] ?? 1);

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

let accounts = 0;
const newClient = (): Client => graph.as('specialist', { sub: '2' }, `sync-${(accounts += 1)}`);

/** The recipe of docs/api/rest.md with a second for its five minutes. */
const overlap = 1_000;

const copyOf = (client: Client, path: string, itsOverlap = overlap) =>
  createIncrementalCopy({ get: (address) => client.get(address).expect(200), path, perPage: 3, overlap: itsOverlap });

async function everythingAt(client: Client, path: string): Promise<Map<number, unknown>> {
  const { body } = await client.get(`${path}?fields=*&per_page=100`).expect(200);
  return new Map((body as { id: number }[]).map((row) => [row.id, row]));
}

test.each([
  ['/v1/requests', ['assigned', 'in_progress', 'completed']],
  ['/v1/problems', ['assigned', 'analyzed', 'solved']],
])('a copy of %s misses nothing while others write, and each round ends', async (path, statuses) => {
  const client = newClient();
  const ids: number[] = [];
  const write = async (random: (most: number) => number): Promise<void> => {
    const values = { subject: `Subject ${random(1_000)}`, status: statuses[random(statuses.length)] };
    const id = ids[random(ids.length + 4)];
    if (id !== undefined || ids.length >= 90) {
      await client.rest('patch', `${path}/${id ?? ids[0]}`, values).expect(200);
      return;
    }
    const { body } = await client.rest('post', path, values).expect(201);
    ids.push((body as { id: number }).id);
  };
  const copy = copyOf(client, path);
  const { pass, now } = graph.clock;
  const pages = await fetchWhileOthersWrite(copy, { late: overlap, pass, now, write }, { seed, rounds: 25 });
  expect(ids.length).toBeGreaterThan(10);
  expect(Math.max(...pages)).toBeGreaterThan(1);
  expect(copy.rows).toEqual(await everythingAt(client, path));
});

test('a record whose time is older than its commit is found by the overlap, and by nothing else', async () => {
  const client = newClient();
  const path = '/v1/requests';
  const { pass, now } = graph.clock;
  const [careful, careless] = [copyOf(client, path), copyOf(client, path, 0)];
  pass(overlap);
  for (const copy of [careful, careless]) await copy.fetchUntil(now());
  // Of a process whose clock is behind, or that took the time and then waited for the store.
  pass(-overlap / 2);
  await client.rest('post', path, { subject: 'late' }).expect(201);
  pass(overlap);
  for (const copy of [careful, careless]) await copy.fetchUntil(now());
  expect(careful.rows).toEqual(await everythingAt(client, path));
  expect(careful.rows.size).toBe(1);
  expect(careless.rows.size).toBe(0);
});

test('a round ends though others write without a pause', async () => {
  const client = newClient();
  const path = '/v1/requests';
  for (let n = 0; n < 7; n += 1) await client.rest('post', path, { subject: `old ${n}` }).expect(201);
  const { pass, now } = graph.clock;
  pass(1);
  const copy = copyOf(client, path);
  const pages = await copy.fetchUntil(now(), async () => {
    for (let n = 0; n < 3; n += 1) await client.rest('post', path, { subject: 'new' }).expect(201);
  });
  expect(pages).toBe(3);
  expect(copy.rows.size).toBe(7);
});

test('a new note and an added member are changes', async () => {
  const client = graph.as('account_administrator', { sub: '2' }, 'sync-parts');
  await graph.publishPerson({ id: 2, accountId: 'sync-parts', name: 'Sam' });
  const { pass, now } = graph.clock;
  const changes = [
    ['/v1/requests', { subject: 'x' }, '/notes', { text: 'New.' }],
    ['/v1/teams', { name: 'x' }, '/members', { person_id: 2 }],
  ] as const;
  for (const [path, given, part, added] of changes) {
    const { body } = await client.rest('post', path, given).expect(201);
    const { id } = body as { id: number };
    pass(1);
    const since = now().toISOString();
    const changed = () => client.get(`${path}?updated_at=${encodeURIComponent(`>=${since}`)}`).expect(200);
    expect((await changed()).body).toEqual([]);
    await client.rest('post', `${path}/${id}${part}`, added);
    expect((await changed()).body).toMatchObject([{ id }]);
  }
});
