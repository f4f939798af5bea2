import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { baseUrl, nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let admin: Client;
let specialist: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  admin = graph.as('account_administrator', { sub: '2', name: 'Ada' });
  specialist = graph.as('specialist', { sub: '3', name: 'Sam' });
  for (const id of [2, 3, 4]) await graph.publishPerson({ id, name: `Person ${id}` });
  await graph.publishPerson({ id: 9, accountId: 'acme', name: 'Stranger' });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

interface Shown {
  readonly id: number;
  readonly nodeID: string;
  readonly [member: string]: unknown;
}

async function make(path: string, body: object, client: Client = admin): Promise<Shown> {
  const { body: made } = await client.rest('post', path, body).expect(201);
  return made as Shown;
}

const tagOf = async (path: string): Promise<string> => String((await admin.get(path).expect(200)).headers['etag']);
const invalid = (...errors: [member: string, text: string][]) => ({ message: 'Validation Failed', errors });

test('people are added to a field and removed from it, at once too', async () => {
  const { id } = await make('/v1/teams', { name: 'Night' });
  const path = `/v1/teams/${id}/members`;
  const added = [3, '4', nodeId('Person', 2)];
  await Promise.all(added.map((person_id) => admin.rest('post', path, { person_id }).expect(200)));
  const members = async () => ((await admin.get(`/v1/teams/${id}`)).body as { members: Shown[] }).members;
  expect((await members()).map((one) => one.id)).toEqual([2, 3, 4]);
  const { body, headers } = await admin.rest('post', path, 'person_id=3').type('form').expect(200);
  expect([body, headers['etag']]).toMatchObject([{ id, name: 'Night' }, await tagOf(`/v1/teams/${id}`)]);
  const old = await tagOf(`/v1/teams/${id}`);
  await admin.rest('delete', `${path}/3`).set('If-Match', old).expect(204);
  await admin.rest('delete', `${path}/4`).set('If-Match', old).expect(412);
  await admin.rest('post', path, { person_id: 3 }).set('If-Match', old).expect(412);
  for (const gone of ['3', '9', '4711', 'x', nodeId('Team', 4)])
    await admin.rest('delete', `${path}/${gone}`).expect(404, { message: 'Not Found' });
  expect((await members()).map((one) => one.id)).toEqual([2, 4]);
  const { body: lines } = await admin.get(`/v1/teams/${id}/audit`);
  expect((lines as { changes: { field: string }[] }[]).map(({ changes }) => changes.length)).toHaveLength(5);
});

test.each<[object, [string, string]]>([
  [{}, ['person_id', 'Person is required']],
  [{ person_id: '' }, ['person_id', 'Person is required']],
  [{ person_id: 9 }, ['person_id', 'Person was not found']],
  [{ person_id: [3] }, ['person_id', 'Person was not found']],
  [{ person_id: nodeId('Team', 3) }, ['person_id', 'Person was not found']],
  [{ person_id: 3, role: 'lead' }, ['role', 'Unknown member']],
])('as a member %j is refused', async (body, error) => {
  const { id } = await make('/v1/teams', { name: 'Closed' });
  await admin.rest('post', `/v1/teams/${id}/members`, body).expect(422, invalid(error));
  expect(await tagOf(`/v1/teams/${id}`)).toMatch(/^"1\./);
});

test('a field of people takes 500', async () => {
  const crowd = Array.from({ length: 500 }, (_, index) => 10_000 + index);
  for (const id of crowd) await graph.publishPerson({ id, name: `Person ${id}` });
  const { id } = await make('/v1/teams', { name: 'Crowd', member_ids: crowd });
  await admin
    .rest('post', `/v1/teams/${id}/members`, { person_id: 3 })
    .expect(422, invalid(['member_ids', 'Members are more than 500']));
  await admin.rest('post', `/v1/teams/${id}/members`, { person_id: 10_000 }).expect(200);
});

test('records are created and read below the one that they refer to', async () => {
  const { id } = await make('/v1/workflows', { subject: 'Move' });
  const path = `/v1/workflows/${id}/tasks`;
  const { body: task, headers } = await specialist.rest('post', path, { subject: 'Pack' }).expect(201);
  expect(headers['location']).toBe(`${baseUrl}/v1/tasks/${(task as Shown).id}`);
  expect(task).toMatchObject({ subject: 'Pack', workflow: { id, name: 'Move' } });
  await make('/v1/tasks', { subject: 'Elsewhere' });
  const { body } = await specialist.get(`${path}?status=registered&fields=subject`).expect(200);
  expect(body).toEqual([{ id: (task as Shown).id, subject: 'Pack' }]);
  await specialist
    .rest('post', path, { subject: 'x', workflow_id: 1 })
    .expect(422, invalid(['workflow_id', 'Workflow is that of the address']));
  await specialist.rest('post', '/v1/workflows/4711/tasks', { subject: 'x' }).expect(404, { message: 'Not Found' });
  await specialist.get('/v1/workflows/4711/tasks').expect(404);
  const narrow = graph.as('specialist', { sub: '3', scopes: [{ effect: 'allow', actions: ['task:Read'] }] });
  await narrow.get(path).expect(403);
});
