import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '3', name: 'Sam' });
  await graph.publishPerson({ id: 3, name: 'Sam' });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const idOf = ({ body }: { readonly body: unknown }): number => (body as { readonly id: number }).id;
const make = async (): Promise<number> =>
  idOf(await specialist.rest('post', '/v1/requests', { subject: 'Printer' }).expect(201));

/** The process ended before it kept an answer, and a minute is over. */
async function loseAnswers(): Promise<void> {
  await graph.connection.collection('idempotent_calls').updateMany({}, { $unset: { answer: '' } });
  graph.clock.pass(60_000);
}

async function trailOf(id: number) {
  const of = async <T>(part: string) => (await specialist.get(`/v1/requests/${id}/${part}`).expect(200)).body as T[];
  const lines = await of<{ id: number; changes: { to: unknown }[] }>('audit');
  return { notes: await of<{ id: number; text: string }>('notes'), lines };
}

test('a change that is made again has an audit line again', async () => {
  const id = await make();
  const complete = () =>
    specialist.rest('patch', `/v1/requests/${id}`, { status: 'completed' }).set('Idempotency-Key', 'complete');
  await complete().expect(200);
  await loseAnswers();
  await specialist.rest('patch', `/v1/requests/${id}`, { status: 'assigned' }).expect(200);
  await complete().expect(200);
  const { lines } = await trailOf(id);
  expect(lines).toHaveLength(4);
});

test('a note of a change that is made again is not lost among those of others', async () => {
  // So that the numbers of audit lines are numbers of notes too.
  const [other, id] = [await make(), await make()];
  for (let n = 0; n < 20; n += 1)
    await specialist.rest('post', `/v1/requests/${other}/notes`, { text: `Note ${n}` }).expect(201);
  const body = { status: 'completed', note: 'Done.' };
  const complete = () => specialist.rest('patch', `/v1/requests/${id}`, body).set('Idempotency-Key', 'noted');
  await complete().expect(200);
  await loseAnswers();
  // As if another had completed it, and the first attempt had ended before it wrote its note.
  await graph.connection.collection<{ _id: number }>('notes').deleteMany({ recordId: id });
  await complete().expect(200);
  expect((await trailOf(id)).notes.map(({ text }) => text)).toEqual(['Done.']);
});

test('a key is free again after a note was refused, as after every refusal', async () => {
  const id = await make();
  const add = (text: string) =>
    specialist.graphql(
      'mutation ($input: NoteCreateInput!) { noteCreate(input: $input) { note { text } errors { message path } } }',
      { input: { recordId: nodeId('Request', id), text } },
      { 'Idempotency-Key': 'refused note' },
    );
  const refused = { note: null, errors: [{ message: 'Text is required', path: ['text'] }] };
  expect((await add(' ')).data).toEqual({ noteCreate: refused });
  expect((await add('Done.')).data).toEqual({ noteCreate: { note: { text: 'Done.' }, errors: [] } });
});

test('a record that was trashed before its creation is repeated is not made twice', async () => {
  const administrator = graph.as('account_administrator', { sub: '2' });
  const create = () => specialist.rest('post', '/v1/requests', { subject: 'Twice' }).set('Idempotency-Key', 'trashed');
  const id = idOf(await create().expect(201));
  await administrator.rest('post', `/v1/requests/${id}/trash`).expect(200);
  await loseAnswers();
  const again = await create();
  expect([again.status, again.body]).toEqual([404, { message: 'Not Found' }]);
  await administrator.rest('post', `/v1/requests/${id}/restore`).expect(200);
  expect(await graph.connection.collection('requests').countDocuments({ 'values.subject': 'Twice' })).toBe(1);
});
