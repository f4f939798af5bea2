import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { roles } from '@itsm/shared/contracts/directory';
import type { Role } from '@itsm/shared/contracts/directory';
import { memberName, rootField } from '@itsm/shared/declared/names';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { Kind, parse } from 'graphql';
import type { TypeNode } from 'graphql';
import { recordTypes } from '../record-types/all';
import type { RecordType } from '../record-types/record-type';
import { createImporter } from '../testing/create-engine';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';
import { typeDefsOf } from './record.sdl';

/** In every internal note, and nowhere else. */
const secret = 'Zanzibar';
const staff: readonly Role[] = ['account_administrator', 'directory_administrator', 'specialist', 'auditor'];
const requesters = roles.filter((role) => !staff.includes(role));
const noted = recordTypes.filter(({ hasNotes }) => hasNotes);
const person = nodeId('Person', 5);

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;
let team: string;

interface Noted {
  readonly type: RecordType;
  readonly id: number;
  readonly nodeID: string;
  /** The numbers of its internal notes. */
  readonly internal: readonly number[];
}
const records = new Map<string, Noted>();
/** How many notes each of them has. */
const [publicNotes, internalNotes] = [2, 5];

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '2', name: 'Sam Specialist' });
  await graph.publishPerson({ id: 2 });
  await graph.publishPerson({ id: 5 });
  const administrator = graph.as('account_administrator', { sub: '2' });
  const made = await administrator.rest('post', '/v1/teams', { name: 'Desk', member_ids: [5] }).expect(201);
  team = String((made.body as { nodeID: string }).nodeID);
  for (const type of noted) records.set(type.name, await madeWithNotes(type));
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

/** A record with notes of every way in, of which the person 5 is an owner where the type has owners. */
async function madeWithNotes(type: RecordType): Promise<Noted> {
  const { plural, graphqlName, endUsersSee } = type;
  const owners = typeof endUsersSee === 'string' ? [] : endUsersSee;
  const project = type.name === 'project_task' ? { project_id: records.get('project')?.id } : {};
  const hasTeam = type.fields.some(({ name }) => name === 'team');
  const { body } = await specialist
    .rest('post', `/v1/${plural}`, {
      subject: 'Printer',
      internal_note: `${secret} 1`,
      source: 'notes',
      sourceID: type.name,
      ...project,
      ...(hasTeam && { team_id: team }),
      ...Object.fromEntries(owners.map((owner) => [`${restNames[owner] ?? owner}_id`, 5])),
    })
    .expect(201);
  const { id, nodeID } = body as { id: number; nodeID: string };
  await specialist.rest('patch', `/v1/${plural}/${id}`, { note: 'Public 1' }).expect(200);
  await specialist.rest('post', `/v1/${plural}/${id}/notes`, { text: `${secret} 2`, internal: 'true' }).expect(201);
  await specialist.rest('post', `/v1/${plural}/${id}/notes`, { text: 'Public 2' }).expect(201);
  const member = memberName(type);
  await specialist.ask(
    'noteCreate',
    `mutation { noteCreate(input: { recordId: "${nodeID}", text: "${secret} 3", internal: true }) { note { internal } } }`,
  );
  await specialist.ask(
    `${member}Update`,
    `mutation ($input: ${graphqlName}UpdateInput!) { ${member}Update(input: $input) { errors { message } } }`,
    { input: { id: nodeID, internalNote: `${secret} 4` } },
  );
  const own = await connectPatiently(mongo.urlOf(graph.connection.name));
  const rows = [{ source: 'notes', sourceID: type.name, internal_note: `${secret} 5` }];
  expect(await createImporter(own).importRows(type.name, rows)).toEqual([{ outcome: 'updated' }]);
  await own.close();
  const internal = await graph.connection
    .collection<{ _id: number }>('notes')
    .find({ text: /^Zanzibar/ })
    .toArray();
  const earlier = [...records.values()].flatMap((each) => each.internal);
  return { type, id, nodeID, internal: internal.map(({ _id }) => _id).filter((note) => !earlier.includes(note)) };
}
const restNames: Readonly<Record<string, string>> = { requestedBy: 'requested_by', requestedFor: 'requested_for' };

const noteFields = 'id number text internal createdAt person { id } record { id }';
const notesOf = `notes(first: 50) { totalCount edges { cursor node { ${noteFields} } } nodes { ${noteFields} } pageInfo { endCursor } }
  last: notes(last: 1) { totalCount nodes { ${noteFields} } pageInfo { hasPreviousPage } }`;

/** The documents and addresses by which notes can be read, of one record. */
function waysOf({ type, id, nodeID, internal }: Noted): Record<string, (client: Client) => Promise<unknown>> {
  const { graphqlName, plural } = type;
  const root = rootField(type);
  const asked = (document: string) => (client: Client) => client.graphql(document);
  const entities = (representations: object[], fields: string) => (client: Client) =>
    client.graphql(`query ($of: [_Any!]!) { _entities(representations: $of) { ${fields} } }`, { of: representations });
  const got =
    (path: string) =>
    async (client: Client): Promise<unknown> => {
      const { body, headers } = await client.get(path);
      return [body, headers];
    };
  const notes = internal.map((note) => nodeId('Note', note));
  const hasTeam = type.fields.some(({ name }) => name === 'team');
  const viaPerson =
    type.ofPerson ??
    type.fields.flatMap((field) => ('inverse' in field && field.kind === 'person' ? field.inverse : []))[0];
  return {
    'single record': asked(`{ ${memberName(type)}(id: "${nodeID}") { ${notesOf} } }`),
    'list of records': asked(`{ ${root}(first: 50) { nodes { ${notesOf} } edges { node { ${notesOf} } } } }`),
    'all views': asked(`{ ${root}(first: 50, view: all) { nodes { ${notesOf} } } }`),
    'search for the text': asked(`{ ${root}(first: 50, filter: { query: "${secret}" }) { totalCount nodes { id } } }`),
    'record as an entity': entities([{ __typename: graphqlName, id: nodeID }], `... on ${graphqlName} { ${notesOf} }`),
    'notes as entities': entities(
      notes.map((note) => ({ __typename: 'Note', id: note })),
      `... on Note { ${noteFields} }`,
    ),
    ...(viaPerson && {
      'record of a person': entities(
        [{ __typename: 'Person', id: person }],
        `... on Person { ${viaPerson}(first: 50) { nodes { ${notesOf} } } }`,
      ),
    }),
    ...(hasTeam && {
      'record of a team': asked(`{ team(id: "${team}") { ${root}(first: 50) { nodes { ${notesOf} } } } }`),
    }),
    'record of a new note': asked(
      `mutation { noteCreate(input: { recordId: "${nodeID}", text: "Thanks" }) { note { ${noteFields} record { ... on ${graphqlName} { ${notesOf} } } } } }`,
    ),
    'audit lines': asked(
      `{ ${memberName(type)}(id: "${nodeID}") { auditLines(first: 50) { totalCount nodes { changes { from to } } } } }`,
    ),
    'REST: notes': got(`/v1/${plural}/${id}/notes?per_page=100`),
    'REST: notes, the last first': got(`/v1/${plural}/${id}/notes?sort=-id&fields=*&per_page=100`),
    'REST: each internal note': async (client) =>
      Promise.all(
        internal
          .flatMap((note) => [note, nodeId('Note', note)])
          .map((note) => got(`/v1/${plural}/${id}/notes/${note}`)(client)),
      ),
    'REST: record': got(`/v1/${plural}/${id}`),
    'REST: records': got(`/v1/${plural}?fields=*&per_page=100`),
    'REST: audit lines': got(`/v1/${plural}/${id}/audit?fields=*`),
  };
}

const ways = noted.flatMap((type) => {
  return Object.keys(waysOf({ type, id: 1, nodeID: '', internal: [] })).map((way) => [type.name, way] as const);
});

const answerOf = async (typeName: string, way: string, client: Client): Promise<string> => {
  const record = records.get(typeName);
  return JSON.stringify(record && (await waysOf(record)[way]?.(client)));
};

describe.each(requesters)('for the role %s', (role) => {
  test.each(ways)('the internal notes of a %s are in no answer: %s', async (typeName, way) => {
    const answer = await answerOf(typeName, way, graph.as(role, { sub: '5' }));
    expect(answer).toMatch(/^[[{]/);
    expect(answer).not.toContain(secret);
    expect(answer).not.toContain('"internal":true');
    for (const note of records.get(typeName)?.internal ?? []) expect(answer).not.toContain(nodeId('Note', note));
  });
});

/** Ways that give no text of notes to anybody. */
const textless = ['search for the text', 'audit lines', 'REST: record', 'REST: records', 'REST: audit lines'];

describe.each(staff)('for the role %s', (role) => {
  test.each(ways.filter(([, way]) => !textless.includes(way)))(
    'the internal notes of a %s are there: %s',
    async (typeName, way) => {
      const isForbidden = role === 'auditor' && way === 'record of a new note';
      // The person of a call through a person, or with another note, is the one who is asked about.
      const answer = await answerOf(typeName, way, graph.as(role, { sub: '5' }));
      expect(answer.includes(secret)).toBe(!isForbidden);
    },
  );
});

test.each(['request', 'task', 'project_task'])(
  'counts and pages of a %s do not tell that there are internal notes',
  async (name) => {
    const record = records.get(name)!;
    const { plural } = record.type;
    const own = await graph.connection.collection('notes').countDocuments({ recordType: name, text: 'Thanks' });
    const fields = 'notes(first: 100) { totalCount nodes { text } } last: notes(last: 100) { totalCount }';
    const countsFor = (role: Role) =>
      graph
        .as(role, { sub: '5' })
        .ask(memberName(record.type), `{ ${memberName(record.type)}(id: "${record.nodeID}") { ${fields} } }`);
    expect(await countsFor('end_user')).toMatchObject({
      notes: { totalCount: publicNotes + own },
      last: { totalCount: publicNotes + own },
    });
    expect(await countsFor('specialist')).toMatchObject({ notes: { totalCount: publicNotes + internalNotes + own } });
    const listed = await graph
      .as('end_user', { sub: '5' })
      .get(`/v1/${plural}/${record.id}/notes?per_page=${publicNotes + own}`);
    expect(listed.body).toHaveLength(publicNotes + own);
    expect(listed.get('Link')).not.toContain('rel="next"');
  },
);

test('the ways above are all fields of the schema that give notes', () => {
  const nameOf = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type));
  const giving = parse(typeDefsOf(recordTypes)).definitions.flatMap((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION
      ? (definition.fields ?? [])
          .filter(({ type }) => ['Note', 'NoteConnection'].includes(nameOf(type)))
          .map(({ name }) => `${definition.name.value}.${name.value}`)
      : [],
  );
  const ofRecords = noted.map(({ graphqlName }) => `${graphqlName}.notes`);
  expect(giving.sort()).toEqual(
    [...ofRecords, 'NoteConnection.nodes', 'NoteCreatePayload.note', 'NoteEdge.node'].sort(),
  );
});

test.each(requesters)('the role %s cannot add internal notes, by any way', async (role) => {
  const client = graph.as(role, { sub: '5' });
  const { id, nodeID } = records.get('request')!;
  const before = await graph.connection.collection('notes').countDocuments();
  const message = 'Internal is not for you to set';
  const { data } = await client.graphql(
    `mutation { noteCreate(input: { recordId: "${nodeID}", text: "x", internal: true }) { note { id } errors { message path } } }`,
  );
  expect(data).toEqual({ noteCreate: { note: null, errors: [{ message, path: ['internal'] }] } });
  await client
    .rest('post', `/v1/requests/${id}/notes`, { text: 'x', internal: true })
    .expect(422, { message: 'Validation Failed', errors: [['internal', message]] });
  await client
    .rest('post', '/v1/requests', { subject: 'x', internal_note: 'y' })
    .expect(422, { message: 'Validation Failed', errors: [['internal_note', 'Internal note is not for you to set']] });
  const created = await client.graphql(
    'mutation { requestCreate(input: { subject: "x", internalNote: "y" }) { request { id } errors { path } } }',
  );
  expect(created.data).toEqual({ requestCreate: { request: null, errors: [{ path: ['internalNote'] }] } });
  expect(await graph.connection.collection('notes').countDocuments()).toBe(before);
});

test('an auditor gives an internal note with a request that they make', async () => {
  const auditor = graph.as('auditor', { sub: '2' });
  const { body } = await auditor
    .rest('post', '/v1/requests', { subject: 'Found', internal_note: 'See 4.2' })
    .expect(201);
  const notes = await auditor.get(`/v1/requests/${(body as { id: number }).id}/notes`).expect(200);
  expect(notes.body).toMatchObject([{ text: 'See 4.2', internal: true }]);
});

test.each([
  ['too long', { internal_note: 'x'.repeat(65_536) }, 'Internal note is too long (at most 65535 characters)'],
  ['beside a public one', { note: 'a', internal_note: 'b' }, 'Internal note cannot be given together with a note'],
])('an internal note %s is refused', async (_what, given, message) => {
  await specialist
    .rest('post', '/v1/requests', { subject: 'x', ...given })
    .expect(422, { message: 'Validation Failed', errors: [['internal_note', message]] });
});

test('a value that is neither true nor false is refused', async () => {
  const { id } = records.get('request')!;
  for (const internal of ['maybe', 3, []])
    await specialist.rest('post', `/v1/requests/${id}/notes`, { text: 'x', internal }).expect(422);
});

test('the event of an internal note goes to webhooks, which administrators have, and does not contain its text', async () => {
  const { id, internal } = records.get('request')!;
  const events = await waitUntil('the events', () => {
    const added = graph.events.filter(({ event, object }) => event === 'request.note-added' && object.id === id);
    return added.some(({ payload }) => payload.note_id === internal[1]) ? added : undefined;
  });
  expect(JSON.stringify(events)).not.toContain(secret);
});

test('a note that an earlier release stored is public', async () => {
  const { id, internal } = records.get('request')!;
  const notes = graph.connection.collection<{ _id: number }>('notes');
  const stored = await notes.findOne({ _id: internal[0]! });
  const { internal: _none, ...earlier } = { ...stored!, _id: 7_000_000, text: 'From before' } as {
    internal?: boolean;
    _id: number;
  };
  await notes.insertOne(earlier);
  const { body } = await graph.as('end_user', { sub: '5' }).get(`/v1/requests/${id}/notes/7000000`).expect(200);
  expect(body).toMatchObject({ text: 'From before', internal: false });
  await notes.deleteOne({ _id: 7_000_000 });
});

test('the trail of an internal note waits under a name that an earlier release does not store as public', async () => {
  const { id } = records.get('request')!;
  const client = graph.connection.getClient();
  /** The contracts that the write of a note leaves in the outbox, which the relay empties at any time. */
  const contractsLeft = async (internal: boolean): Promise<readonly string[]> => {
    const writes: string[] = [];
    const take = ({ command }: { command: object }): number => writes.push(JSON.stringify(command));
    client.on('commandStarted', take);
    await specialist.rest('post', `/v1/requests/${id}/notes`, { text: 'Waits', internal }).expect(201);
    client.off('commandStarted', take);
    return writes.flatMap((write) =>
      [...write.matchAll(/"contract":"(graph\.trail\.[^"]*)"/g)].map(([, name]) => name!),
    );
  };
  expect(new Set(await contractsLeft(true))).toEqual(new Set(['graph.trail.left.v2']));
  expect(new Set(await contractsLeft(false))).toEqual(new Set(['graph.trail.left.v1']));
});
