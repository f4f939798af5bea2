import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createEngine } from '../testing/create-engine';
import { baseUrl, nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '2', name: 'Sam Specialist' });
  await graph.publishPerson({ id: 2, name: 'Sam Specialist' });
  await graph.publishPerson({ id: 5 });
});
afterAll(async () => {
  graph.line.cut = false;
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const numberOf = (id: string): number => Number(Buffer.from(id, 'base64url').toString().split('/').pop());

async function createRequest(input: object = {}): Promise<string> {
  const mutation =
    'mutation ($input: RequestCreateInput!) { requestCreate(input: $input) { request { id } errors { message } } }';
  const { request } = await specialist.ask<{ request: { id: string } }>('requestCreate', mutation, {
    input: { subject: 'Printer', ...input },
  });
  return request.id;
}

const update = (id: string, input: object) =>
  specialist.ask(
    'requestUpdate',
    'mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { message } } }',
    { input: { id, ...input } },
  );

const read = <T>(id: string, fields: string, client = specialist): Promise<T> =>
  client.ask<T>('request', `query ($id: ID!) { request(id: $id) { ${fields} } }`, { id });

const addNote = (client: Client, recordId: string, text: string) =>
  client.graphql(
    `mutation ($input: NoteCreateInput!) { noteCreate(input: $input) {
      note { id text person { id } record { id ... on Request { subject } } createdAt } errors { message path } clientMutationId } }`,
    { input: { recordId, text, clientMutationId: 'x' } },
  );

test('audit lines record who changed which field, with old and new value', async () => {
  const id = await createRequest({ requestedForId: nodeId('Person', 5) });
  await update(id, { subject: 'Printer on fire', memberId: nodeId('Person', 5), timeSpent: 5, note: 'Hm.' });
  const fields =
    'auditLines(first: 10) { totalCount nodes { id action person { id } record { id } createdAt changes { field from to } } }';
  const { auditLines } = await read<{ auditLines: { nodes: { id: string; changes: unknown[] }[] } }>(id, fields);
  expect(auditLines).toMatchObject({
    totalCount: 2,
    nodes: [
      { action: 'create', person: { id: nodeId('Person', 2) }, record: { id } },
      {
        action: 'update',
        person: { id: nodeId('Person', 2) },
        changes: [
          { field: 'subject', from: 'Printer', to: 'Printer on fire' },
          { field: 'member', from: null, to: nodeId('Person', 5) },
        ],
      },
    ],
  });
  expect(auditLines.nodes[0]?.changes).toContainEqual({ field: 'requestedFor', from: null, to: nodeId('Person', 5) });
  const { body } = await specialist.get(`/v1/requests/${id}/audit?sort=-id&per_page=1`).expect(200);
  expect(body).toEqual([
    {
      id: numberOf(auditLines.nodes[1]?.id ?? ''),
      nodeID: auditLines.nodes[1]?.id,
      action: 'update',
      person: { id: 2, name: 'Sam Specialist' },
      changes: auditLines.nodes[1]?.changes,
      created_at: expect.stringMatching(/Z$/) as string,
    },
  ]);
  const scopes = [{ effect: 'allow' as const, actions: ['request:Read', 'audit-line:Read'] }];
  const nameless = await graph.as('specialist', { sub: '2', scopes }).get(`/v1/requests/${id}/audit`).expect(200);
  expect(nameless.body).toMatchObject([{ person: null }, { person: null }]);
});

test('a note can be read at once (read your writes), also by its own id, in both APIs', async () => {
  const id = await createRequest();
  graph.line.cut = true;
  const { data } = await addNote(specialist, id, '  It is the fuse.  ');
  const { note, ...rest } = data?.['noteCreate'] as { note: { id: string }; errors: unknown[] };
  expect(rest).toEqual({ errors: [], clientMutationId: 'x' });
  expect(note).toMatchObject({
    text: 'It is the fuse.',
    person: { id: nodeId('Person', 2) },
    record: { id, subject: 'Printer' },
  });
  expect(await read(id, 'notes(first: 5) { totalCount nodes { id text } }')).toEqual({
    notes: { totalCount: 1, nodes: [{ id: note.id, text: 'It is the fuse.' }] },
  });
  const entity = `{ _entities(representations: [{ __typename: "Note", id: "${note.id}" }]) { ... on Note { text record { id } } } }`;
  expect(await specialist.ask('_entities', entity)).toEqual([{ text: 'It is the fuse.', record: { id } }]);
  const path = `/v1/requests/${numberOf(id)}/notes`;
  const shown = { id: numberOf(note.id), nodeID: note.id, text: 'It is the fuse.' };
  expect((await specialist.get(`${path}/${numberOf(note.id)}`).expect(200)).body).toMatchObject(shown);
  const listed = await specialist.get(`${path}?per_page=1`).expect(200);
  expect(listed.body).toMatchObject([shown]);
  expect(listed.get('Link')).toContain(`<${baseUrl}${path}?per_page=1>; rel="first"`);
  graph.line.cut = false;
  const event = await waitUntil('the event', () => {
    // What could not be published is tried again later.
    graph.clock.pass(1_000);
    return graph.events.find(({ event: name, object }) => name === 'request.note-added' && object.nodeID === id);
  });
  expect(event.links.related).toBe(`${path}/${numberOf(note.id)}`);
  expect(event.payload.note_nodeID).toBe(note.id);
});

test('after a crash the trail is written from the outbox, once, before the event is published', async () => {
  const id = await createRequest();
  await waitUntil('an empty outbox', async () => {
    const found = await graph.connection.collection<{ _id: number }>('requests').findOne({ _id: numberOf(id) });
    return found !== null && !('outbox' in found);
  });
  const trail = {
    note: {
      id: 900,
      accountId: 'wdc',
      recordType: 'request',
      recordId: numberOf(id),
      at: new Date(),
      person: null,
      text: 'Late',
    },
  };
  const entry = { id: 'e', contract: 'graph.trail.left.v1', message: JSON.stringify(trail) };
  const requests = graph.connection.collection<{ _id: number; outbox: object[] }>('requests');
  for (let times = 0; times < 2; times += 1) {
    await requests.updateOne(
      { _id: numberOf(id) },
      { $push: { outbox: { ...entry, id: `e${times}` } }, $set: { outboxAt: graph.clock.now() } },
    );
    await waitUntil('the note', async () => {
      const { notes } = await read<{ notes: { nodes: unknown[] } }>(
        id,
        'notes(first: 5) { nodes { text person { id } } }',
      );
      const stored = await requests.findOne({ _id: numberOf(id) });
      return notes.nodes.length === 1 && stored !== null && !('outbox' in stored);
    });
  }
});

test('an end user reads and writes the notes of their own requests, and no audit lines', async () => {
  const endUser = graph.as('end_user', { sub: '5', name: 'Eva' });
  const id = await createRequest({ requestedForId: nodeId('Person', 5) });
  const foreign = await createRequest();
  expect((await addNote(endUser, id, 'Thanks')).data).toMatchObject({ noteCreate: { note: { text: 'Thanks' } } });
  expect((await addNote(endUser, foreign, 'Hello')).errors).toMatchObject([{ message: 'Not Found' }]);
  expect(await read(id, 'notes(first: 5) { nodes { text } }', endUser)).toEqual({
    notes: { nodes: [{ text: 'Thanks' }] },
  });
  const { errors } = await endUser.graphql(`{ request(id: "${id}") { auditLines(first: 1) { totalCount } } }`);
  expect(errors).toMatchObject([{ message: 'Forbidden', extensions: { code: 'FORBIDDEN' } }]);
  await endUser.get(`/v1/requests/${id}/audit`).expect(403);
  const { auditLines } = await read<{ auditLines: { nodes: object[] } }>(
    id,
    'auditLines(first: 1) { nodes { __typename id } }',
  );
  const entity = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on AuditLine { action } } }';
  const ask = (client: Client) => client.graphql(entity, { of: auditLines.nodes });
  expect((await ask(specialist)).data).toEqual({ _entities: [{ action: 'create' }] });
  expect(await ask(endUser)).toMatchObject({ data: { _entities: [null] }, errors: [{ message: 'Forbidden' }] });
  await endUser.get(`/v1/requests/${foreign}/notes`).expect(404);
});

test('an auditor, who reads only, cannot add notes', async () => {
  const id = await createRequest();
  expect((await addNote(graph.as('auditor', { sub: '2' }), id, 'x')).errors).toMatchObject([{ message: 'Forbidden' }]);
});

test.each([
  ['an empty text', '   ', 'Text is required'],
  ['a text over the limit', 'x'.repeat(65_536), 'Text is too long (at most 65535 characters)'],
])('%s is refused', async (_what, text, message) => {
  const { data } = await addNote(specialist, await createRequest(), text);
  expect(data).toMatchObject({ noteCreate: { note: null, errors: [{ message, path: ['text'] }] } });
});

test.each([
  ['an unknown record', () => nodeId('Request', 9999)],
  ['a type without notes', () => nodeId('Team', 1)],
  ['no id at all', () => 'nonsense'],
])('a note for %s is not found', async (_what, idOf) => {
  expect((await addNote(specialist, idOf(), 'x')).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});

test.each(['note', 'audit-line', 'request'])('notes and audit lines need the scope %s:Read', async (model) => {
  const id = await createRequest({ note: 'x' });
  const others = ['note', 'audit-line', 'request'].filter((name) => name !== model).map((name) => `${name}:Read`);
  const client = graph.as('specialist', { scopes: [{ effect: 'allow', actions: others }] });
  const { errors } = await client.graphql(
    `{ request(id: "${id}") { notes(first: 1) { totalCount } auditLines(first: 1) { totalCount } } }`,
  );
  expect(errors?.map(({ message }) => message)).toEqual([`Missing required scope(s): ${model}:Read`]);
});

test('upgraded records keep their notes and audit lines, and are found by words and owners', async () => {
  const id = numberOf(await createRequest({ subject: 'Old printer' }));
  const name = graph.connection.name;
  const person = { id: 2, name: 'Sam Specialist' };
  const at = new Date('2026-01-02T03:04:05Z');
  const requests = graph.connection.collection<{ _id: number }>('requests');
  await graph.connection.collection('audit_lines').deleteMany({ recordId: id });
  const notes = [{ id: 800, text: 'Embedded', at, person }];
  const auditLines = [
    { id: 801, action: 'create', at, person, changes: [{ field: 'subject', from: null, to: 'Old printer' }] },
  ];
  await requests.updateOne({ _id: id }, { $set: { notes, auditLines }, $unset: { owners: '', words: '' } });
  await graph.connection.collection('upgrades').deleteMany({});
  const fields = 'notes(first: 5) { nodes { text } } auditLines(first: 5) { nodes { action changes { to } } }';
  const own = await connectPatiently(mongo.urlOf(name));
  for (let times = 0; times < 2; times += 1) await createEngine(own).store.prepare();
  await own.close();
  expect(await read(nodeId('Request', id), fields)).toEqual({
    notes: { nodes: [{ text: 'Embedded' }] },
    auditLines: { nodes: [{ action: 'create', changes: [{ to: 'Old printer' }] }] },
  });
  const found = await specialist.ask(
    'requests.nodes',
    '{ requests(first: 5, view: requested_by_or_for_me, filter: { query: "OLD" }) { nodes { id } } }',
  );
  expect(found).toEqual([{ id: nodeId('Request', id) }]);
  expect(await requests.findOne({ _id: id })).not.toHaveProperty('notes');
});
