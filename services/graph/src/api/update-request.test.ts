import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;
let id: string;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
});
beforeEach(async () => {
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '2', name: 'Sam Specialist' });
  const seeded = { source: 'demo', sourceID: '1', subject: 'Seeded', requestedById: 2 };
  id = nodeId('Request', (await graph.app.seed.ensureRequest('wdc', seeded)).id);
});
afterEach(() => graph.stop());
afterAll(async () => {
  await keys.close();
  await mongo.close();
});

const update = `mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) {
  request { id subject status impact completedAt createdAt updatedAt team { id } } errors { message path } clientMutationId
} }`;

interface Payload {
  readonly request: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly object[];
}

const updateAs = (client: Client, input: object): Promise<Payload> =>
  client.ask<Payload>('requestUpdate', update, { input: { id, ...input } });

const eventsOf = async (count: number) => {
  await waitUntil(`${count} events`, () => graph.events.length >= count);
  return graph.events;
};

const stored = async () => (await graph.connection.collection('requests').find().toArray())[0];
const trail = (collection: 'notes' | 'audit_lines') => graph.connection.collection(collection).find().toArray();

test('a changed field is one update, published once', async () => {
  const { request } = await updateAs(specialist, { subject: 'Better' });
  expect(request).toMatchObject({ id, subject: 'Better', status: 'on_backlog' });

  const [event] = await eventsOf(1);
  expect(event).toMatchObject({
    event: 'request.update',
    person: { id: 2, name: 'Sam Specialist' },
    payload: { audit_line_id: 1, status: 'on_backlog', source: 'demo', sourceID: '1' },
  });
  expect(await stored()).toMatchObject({ version: 2 });
  expect(await trail('audit_lines')).toMatchObject([
    { action: 'update', version: 2, changes: [{ field: 'subject', from: 'Seeded', to: 'Better' }] },
  ]);
});

test('a status change is published as an update and as a status change', async () => {
  await updateAs(specialist, { status: 'in_progress' });

  const events = await eventsOf(2);
  expect(events.map(({ event }) => event)).toEqual(['request.update', 'request.status-changed']);
  expect(events[0]?.payload).not.toHaveProperty('previous_status');
  expect(events[1]?.payload).toEqual({ ...events[0]?.payload, previous_status: 'on_backlog' });
});

test('a change of team is published as such, and an unknown team is refused', async () => {
  const team = await graph.app.seed.ensureTeam('wdc', { source: 'd', sourceID: 't', name: 'Network', memberIds: [] });
  expect((await updateAs(specialist, { teamId: nodeId('Team', 99) })).errors).toEqual([
    { message: 'Team was not found', path: ['teamId'] },
  ]);
  expect((await updateAs(specialist, { teamId: nodeId('Team', team.id) })).request).toMatchObject({
    team: { id: nodeId('Team', team.id) },
  });
  const events = await eventsOf(2);
  expect(events.map(({ event }) => event)).toEqual(['request.update', 'request.team-changed']);
});

test('a note alone is published as a note and leaves no audit line', async () => {
  await updateAs(specialist, { note: 'Looked at it.' });

  const [event] = await eventsOf(1);
  expect(event?.event).toBe('request.note-added');
  expect(event?.payload).toMatchObject({ note_id: 1, note_nodeID: nodeId('Note', 1) });
  expect(event?.payload).not.toHaveProperty('audit_line_id');
  expect(event?.links).toEqual({
    canonical: '/requests/1',
    resource: '/v1/requests/1',
    related: '/v1/requests/1/notes/1',
  });
  expect(await trail('notes')).toMatchObject([{ _id: 1, text: 'Looked at it.' }]);
  expect(await trail('audit_lines')).toEqual([]);
});

test('a note with a change is in every event of the write, the audit line in all but the event of the note', async () => {
  await updateAs(specialist, { status: 'waiting_for', note: 'Parts ordered.' });

  const events = await eventsOf(3);
  expect(events.map(({ event }) => event)).toEqual(['request.update', 'request.status-changed', 'request.note-added']);
  expect(events.map(({ payload }) => [payload.note_id, payload.audit_line_id])).toEqual([
    [1, 1],
    [1, 1],
    [1, undefined],
  ]);
  expect(Object.keys(events[2]?.payload ?? {}).sort()).toEqual([
    'note_id',
    'note_nodeID',
    'source',
    'sourceID',
    'status',
  ]);
});

test('an update that changes nothing publishes nothing', async () => {
  const { request } = await updateAs(specialist, { subject: 'Seeded', impact: null });
  expect(request?.['updatedAt']).toBe(request?.['createdAt']);
  expect(await stored()).toMatchObject({ version: 1 });
  expect(await trail('audit_lines')).toEqual([]);
});

test('completing sets the time of completion, reopening clears it', async () => {
  expect((await updateAs(specialist, { status: 'completed' })).request?.['completedAt']).toMatch(/Z$/);
  expect((await updateAs(specialist, { status: 'assigned' })).request?.['completedAt']).toBeNull();
});

test('null clears an optional field and is refused for a required one', async () => {
  await updateAs(specialist, { impact: 'high' });
  expect((await updateAs(specialist, { impact: null })).request).toMatchObject({ impact: null });
  expect(await updateAs(specialist, { subject: null })).toMatchObject({
    request: null,
    errors: [{ message: 'Subject is required', path: ['subject'] }],
  });
});

test('of 20 concurrent updates none is lost', async () => {
  await Promise.all([
    updateAs(specialist, { impact: 'top' }),
    updateAs(specialist, { status: 'in_progress' }),
    ...Array.from({ length: 18 }, (_, n) => updateAs(specialist, { note: `Note ${n}` })),
  ]);

  const document = await stored();
  expect(document).toMatchObject({ version: 21, values: { impact: 'top', status: 'in_progress' } });
  expect(await trail('notes')).toHaveLength(18);
  const events = await eventsOf(21);
  expect(events.filter(({ event }) => event === 'request.note-added')).toHaveLength(18);
  expect(events.filter(({ event }) => event === 'request.status-changed')).toHaveLength(1);
});

test('a source ID that another request has is refused', async () => {
  await graph.app.seed.ensureRequest('wdc', { source: 'demo', sourceID: '2', subject: 'Other', requestedById: 2 });
  expect(await updateAs(specialist, { sourceID: '2' })).toMatchObject({
    request: null,
    errors: [{ path: ['sourceID'] }],
  });
});

test('a request is named by its number too', async () => {
  const { data } = await specialist.graphql(update, { input: { id: String(id), subject: 'By its number' } });
  expect(data).toMatchObject({ requestUpdate: { errors: [] } });
  expect(await stored()).toMatchObject({ version: 2, values: { subject: 'By its number' } });
});

test.each([
  ['an unknown id', () => nodeId('Request', 99)],
  ['the id of another type', () => nodeId('Team', 1)],
  ['an id of another domain', () => Buffer.from('other.example/Request/1').toString('base64url')],
  ['a number of none', () => '987654'],
  ['an id that is no number', () => Buffer.from('test.example/Request/abc').toString('base64url')],
])('%s is not found', async (_what, idOf) => {
  const { data, errors } = await specialist.graphql(update, { input: { id: idOf(), subject: 'x' } });
  expect(data).toEqual({ requestUpdate: null });
  expect(errors).toMatchObject([{ message: 'Not Found', extensions: { code: 'NOT_FOUND' } }]);
});

test("another account's request is not found", async () => {
  const { errors } = await graph.as('specialist', {}, 'acme').graphql(update, { input: { id, subject: 'x' } });
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect(await stored()).toMatchObject({ version: 1 });
});

test.each(['end_user', 'key_contact', 'auditor'] as const)('the role %s does not update requests', async (role) => {
  const { errors } = await graph.as(role, { sub: '2' }).graphql(update, { input: { id, subject: 'x' } });
  expect(errors).toMatchObject([{ message: 'Forbidden', extensions: { code: 'FORBIDDEN' } }]);
});

test('a token without the scope updates nothing', async () => {
  const client = graph.as('specialist', { scopes: [{ effect: 'allow', actions: ['request:Read', 'request:Create'] }] });
  const { errors } = await client.graphql(update, { input: { id, subject: 'x' } });
  expect(errors).toMatchObject([{ message: 'Missing required scope(s): request:Update' }]);
});

test('a token that may only update sees the record in the answers of its changes, and nowhere else', async () => {
  const blind = graph.as('specialist', { sub: '2', scopes: [{ effect: 'allow', actions: ['request:Update'] }] });
  const path = `/v1/requests/${id}`;
  const shown = { subject: 'Seeded', requested_by: null, team: null };
  expect((await blind.rest('patch', path, {}).expect(200)).body).toMatchObject(shown);
  expect((await updateAs(blind, {})).request).toMatchObject({ id, subject: 'Seeded' });
  for (const other of [path, '/v1/requests', `${path}/notes`, `${path}/audit`]) await blind.get(other).expect(403);
  const document = `mutation { requestUpdate(input: { id: "${id}" }) { request { notes(first: 1) { totalCount } } } }`;
  expect((await blind.graphql(document)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

test('a record with too many unpublished changes refuses the update and stays unchanged', async () => {
  graph.line.cut = true;
  const entry = { id: 'x', contract: 'graph.trail.left.v1', message: 'x'.repeat(16 * 1024 * 1024 - 100_000) };
  const waiting = { $push: { outbox: entry as never }, $set: { outboxAt: new Date(Date.now() + 60_000) } };
  await graph.connection.collection('requests').updateOne({}, waiting);
  expect(await updateAs(specialist, { subject: 'One more', note: 'é'.repeat(60_000) })).toMatchObject({
    request: null,
    errors: [{ message: 'Too many changes of the record wait to be published; try again later', path: [] }],
  });
  expect(await updateAs(specialist, { subject: 'Small' })).toMatchObject({ request: { subject: 'Small' }, errors: [] });
});
