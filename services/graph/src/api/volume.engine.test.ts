import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';
import { createImporter } from '../testing/create-engine';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
});
beforeEach(async () => {
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '2' });
});
afterEach(() => graph.stop());
afterAll(async () => {
  await keys.close();
  await mongo.close();
});

const settled = () =>
  waitUntil('empty outboxes', async () => {
    const waiting = { outboxAt: { $exists: true } };
    const counts = ['requests', 'tasks'].map((name) => graph.connection.collection(name).countDocuments(waiting));
    return (await Promise.all(counts)).every((count) => count === 0);
  });

/** Calls `run` `count` times, `width` at a time. */
async function inParallel(count: number, width: number, run: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await run((next += 1));
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** RACES=short runs a quarter of the rounds, for the checks before a merge. */
const rounds = process.env['RACES'] === 'short' ? 250 : 1_000;

test('tasks created through the API have an event each, imported ones have none', async () => {
  const create = 'mutation ($n: String!) { taskCreate(input: { subject: $n }) { errors { message } } }';
  await inParallel(rounds, 10, (n) => specialist.ask('taskCreate', create, { n: `Task ${n}` }));
  await settled();
  expect(graph.events).toHaveLength(rounds);
  expect(new Set(graph.events.map(({ event }) => event))).toEqual(new Set(['task.create']));
  expect(new Set(graph.events.map(({ object }) => object.id)).size).toBe(rounds);

  const connection = await connectPatiently(mongo.urlOf(graph.connection.name));
  const importer = createImporter(connection);
  const rows = Array.from({ length: rounds }, (_, n) => ({
    subject: `Imported ${n}`,
    source: 'csv',
    sourceID: String(n),
  }));
  const outcomes = await importer.importRows('task', rows);
  expect(outcomes).toEqual(rows.map(() => ({ outcome: 'created' })));
  await settled();
  expect(await specialist.ask('tasks', '{ tasks(first: 1) { totalCount } }')).toEqual({ totalCount: 2 * rounds });
  expect(graph.events).toHaveLength(rounds);
  await connection.close();
});

interface Line {
  readonly _id: number;
  readonly version: number;
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
}

test('two concurrent writers of one record, many rounds: no update is lost, and the audit trail has no gap', async () => {
  const { id } = await graph.app.seed.ensureRequest('wdc', {
    source: 's',
    sourceID: '1',
    subject: 'S 0',
    requestedById: 2,
  });
  const nodeID = Buffer.from(`test.example/Request/${id}`).toString('base64url');
  const write = (client: Client, input: string) =>
    client.ask<{ errors: unknown[] }>(
      'requestUpdate',
      `mutation { requestUpdate(input: { id: "${nodeID}", ${input} }) { errors { message } } }`,
    );
  const other = graph.as('account_administrator', { sub: '3' });
  const impacts = ['low', 'high'];
  for (let round = 1; round <= rounds; round += 1) {
    const both = await Promise.all([
      write(specialist, `subject: "S ${round}"`),
      write(other, `impact: ${impacts[(rounds - round) % 2]}`),
    ]);
    expect(both.map(({ errors }) => errors)).toEqual([[], []]);
  }
  const record = await graph.connection.collection('requests').findOne({});
  expect(record).toMatchObject({ version: 2 * rounds + 1, values: { subject: `S ${rounds}`, impact: 'low' } });
  const lines = (await graph.connection
    .collection('audit_lines')
    .find()
    .sort({ _id: 1 })
    .toArray()) as unknown as Line[];
  expect(lines.map(({ version }) => version)).toEqual(Array.from({ length: 2 * rounds }, (_, n) => n + 2));
  for (const field of ['subject', 'impact']) {
    const changes = lines.flatMap((line) => line.changes.filter((change) => change.field === field));
    expect(changes).toHaveLength(rounds);
    changes.slice(1).forEach(({ from }, n) => expect(from).toBe(changes[n]?.to));
  }
});
