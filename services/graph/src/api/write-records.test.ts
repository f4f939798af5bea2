import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { roles } from '@itsm/shared/contracts/directory';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { recordTypes } from '../record-types/all';
import { titleField } from '../record-types/record';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { baseUrl, nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let admin: Client;
let specialist: Client;
let endUser: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  admin = graph.as('account_administrator', { sub: '2', name: 'Ada' });
  specialist = graph.as('specialist', { sub: '3', name: 'Sam' });
  endUser = graph.as('end_user', { sub: '4', name: 'Eva' });
  for (const [id, name] of [
    [2, 'Ada'],
    [3, 'Sam'],
    [4, 'Eva'],
  ] as const)
    await graph.publishPerson({ id, name });
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
const formOf = (client: Client, path: string, form: string) => client.rest('post', path, form).type('form');

test('a request is created, changed and noted', async () => {
  const { id: team } = await make('/v1/teams', { name: 'Network', member_ids: [3] });
  const given = { subject: 'Printer', team_id: team, requested_for_id: nodeId('Person', 4), note: 'Paper is in it.' };
  const answer = await specialist.rest('post', '/v1/requests', given).expect(201);
  const made = answer.body as Shown;
  expect(answer.headers['location']).toBe(`${baseUrl}/v1/requests/${made.id}`);
  expect(made).toMatchObject({ status: 'assigned', team: { id: team, name: 'Network' }, requested_for: { id: 4 } });
  const path = `/v1/requests/${made.nodeID}`;
  const changed = await specialist.rest('patch', path, { status: 'completed', team_id: '' }).expect(200);
  expect(changed.body).toMatchObject({ id: made.id, status: 'completed', team: null, subject: 'Printer' });
  expect(changed.headers['etag']).toBe(await tagOf(path));
  const noted = await specialist.rest('post', `${path}/notes`, { text: 'It works.' }).expect(201);
  expect(noted.body).toMatchObject({ text: 'It works.', person: { id: 3, name: 'Sam' } });
  expect(noted.headers['location']).toBe(`${baseUrl}/v1/requests/${made.id}/notes/${(noted.body as Shown).id}`);
  const { body: notes } = await specialist.get(`${path}/notes`).expect(200);
  expect((notes as Shown[]).map(({ text }) => text)).toEqual(['Paper is in it.', 'It works.']);
  const names = () => graph.events.filter(({ object }) => object.id === made.id).map(({ event }) => event);
  await waitUntil('the events', () => names().includes('request.note-added'));
  expect(names().filter((name) => name.startsWith('request.'))).toEqual([
    'request.create',
    'request.update',
    'request.status-changed',
    'request.team-changed',
    'request.note-added',
  ]);
});

test('a form is read as JSON is, with texts for everything', async () => {
  const form = `name=Desk+%26+chairs&disabled=true&member_ids=3,${nodeId('Person', 2)}&manager_id=2&source=`;
  const { body } = await formOf(admin, '/v1/teams', form).expect(201);
  expect(body).toMatchObject({ name: 'Desk & chairs', disabled: true, manager: { id: 2 }, source: null });
  expect((body as { members: Shown[] }).members.map(({ id }) => id)).toEqual([2, 3]);
  const task = await formOf(admin, '/v1/tasks', 'subject=x&time_spent=15&start_at=2026-03-18T10:00:00Z').expect(201);
  expect(task.body).toMatchObject({ time_spent: 15, start_at: '2026-03-18T10:00:00Z' });
});

test.each([
  ['name=a&name=b', 400, { message: '`name` is given more than once' }],
  ['name=%FF', 400, { message: 'The text is not UTF-8: byte 0' }],
  ['name=a&colour=red', 422, invalid(['colour', 'Unknown member'])],
  ['name=a&disabled=perhaps', 422, invalid(['disabled', 'Disabled is not true or false'])],
  ['disabled=true', 422, invalid(['name', 'Name is required'])],
])('the form %s is refused', async (form, status, body) => {
  await formOf(admin, '/v1/teams', form).expect(status, body);
});

test('other types of bodies are refused', async () => {
  await admin
    .rest('post', '/v1/teams', 'name: x')
    .type('text/plain')
    .expect(415, { message: 'Content-Type must be application/json or application/x-www-form-urlencoded' });
  await admin.rest('post', '/v1/teams').expect(415);
});

test('what clients cannot write is refused by name, with all other faults', async () => {
  const { id } = await make('/v1/requests', { subject: 'x' });
  const body = { id: 7, completed_at: null, team: 1, created_at: '', subject: 'x'.repeat(256), __proto__x: 1 };
  await admin
    .rest('patch', `/v1/requests/${id}`, body)
    .expect(
      422,
      invalid(
        ['subject', 'Subject is too long (at most 255 characters)'],
        ['id', 'Unknown member'],
        ['completed_at', 'Unknown member'],
        ['team', 'Unknown member'],
        ['created_at', 'Unknown member'],
        ['__proto__x', 'Unknown member'],
      ),
    );
  expect(await tagOf(`/v1/requests/${id}`)).toMatch(/^"1\./);
});

test.each(['?colour=red', '?status=assigned', '?fields=secret', '?fields=id&fields=id'])(
  'the query %s of a write is refused, and nothing is written',
  async (query) => {
    const { id } = await make('/v1/requests', { subject: 'Kept' });
    for (const path of ['/v1/requests', `/v1/requests/${id}`, `/v1/requests/${id}/notes`]) {
      const method = path.endsWith(String(id)) ? 'patch' : 'post';
      await admin.rest(method, path + query, { subject: 'x', text: 'x' }).expect(400);
    }
    expect(await tagOf(`/v1/requests/${id}`)).toMatch(/^"1\./);
  },
);

test('an answer has the asked fields', async () => {
  const { body } = await admin.rest('post', '/v1/requests?fields=subject', { subject: 'Few' }).expect(201);
  expect(Object.keys(body as object)).toEqual(['id', 'subject']);
});

test('If-Match refuses a lost update, by the version alone', async () => {
  const { id, nodeID } = await make('/v1/requests', { subject: 'x' });
  const path = `/v1/requests/${id}`;
  const first = await tagOf(`${path}?fields=subject`);
  const change = (tag: string, subject: string) => admin.rest('patch', path, { subject }).set('If-Match', tag);
  await change(first, 'second').expect(200);
  for (const tag of [first, `W/${first}`, '"1"', 'nothing', '"11.0123456789abcdef"'])
    await change(tag, 'lost').expect(412, { message: 'Precondition Failed' });
  await change(`W/${await tagOf(path)}`, 'third').expect(200);
  await change(`"7.x", ${await tagOf(path)}`, 'fourth').expect(200);
  await change('*', 'fifth').expect(200);
  // A record that the caller does not see has no state to compare.
  await admin.rest('patch', '/v1/requests/4711', { subject: 'x' }).set('If-Match', '*').expect(404);
  const update = `mutation ($version: Int) { requestUpdate(input: { id: "${nodeID}", subject: "sixth", ifVersion: $version }) {
    request { version } errors { message path } } }`;
  expect(await admin.ask('requestUpdate', update, { version: 4 })).toEqual({
    request: null,
    errors: [{ message: 'The record has changed: its version is 5', path: ['ifVersion'] }],
  });
  for (const [version, after] of [
    [5, 6],
    [null, 6],
  ])
    expect(await admin.ask('requestUpdate', update, { version })).toEqual({ request: { version: after }, errors: [] });
  expect((await admin.get(path)).body).toMatchObject({ subject: 'sixth' });
});

test('of 200 pairs of callers with the same tag, one each gets through', async () => {
  const { id, nodeID } = await make('/v1/requests', { subject: 'x' });
  const path = `/v1/requests/${id}`;
  const update = `mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) { request { version } } }`;
  for (let version = 1; version <= 200; version += 1) {
    const rest = (subject: string) =>
      admin.rest('patch', path, { subject }).set('If-Match', `"${version}.0123456789abcdef"`);
    const graphql = async (subject: string) => {
      const input = { id: nodeID, ifVersion: version, subject };
      const request = await admin.ask<object | null>('requestUpdate.request', update, { input });
      return { status: request ? 200 : 412 };
    };
    const [first, second] = [`${version} first`, `${version} second`];
    const answers = await Promise.all([rest(first), version % 2 === 0 ? rest(second) : graphql(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const { headers, body } = await admin.get(`${path}?fields=subject`);
    expect([headers['etag'], body]).toEqual([
      expect.stringMatching(new RegExp(`^"${version + 1}\\.`)),
      { id, subject: answers[0]?.status === 200 ? first : second },
    ]);
  }
});

test('two changes at once without If-Match lose nothing', async () => {
  const { id } = await make('/v1/requests', { subject: 'x' });
  const path = `/v1/requests/${id}`;
  await Promise.all([
    admin.rest('patch', path, { impact: 'top' }).expect(200),
    admin.rest('put', path, { priority: 'low' }).expect(200),
  ]);
  expect((await admin.get(path)).body).toMatchObject({ subject: 'x', impact: 'top', priority: 'low' });
});

test('end users create requests of their own only, and change nothing', async () => {
  const own = await make('/v1/requests', { subject: 'Mine', impact: 'low' }, endUser);
  expect(own).toMatchObject({ requested_by: { id: 4 }, requested_for: { id: 4 } });
  await endUser
    .rest('post', '/v1/requests', { subject: 'x', status: 'completed', requested_by_id: 2 })
    .expect(
      422,
      invalid(['status', 'Status is not for you to set'], ['requested_by_id', 'Requested by must be yourself']),
    );
  await endUser.rest('patch', `/v1/requests/${own.id}`, { subject: 'x' }).expect(403, { message: 'Forbidden' });
  await endUser.rest('post', `/v1/requests/${own.id}/notes`, { text: 'Please' }).expect(201);
  const other = await make('/v1/requests', { subject: 'Theirs' });
  await endUser.rest('post', `/v1/requests/${other.id}/notes`, { text: 'x' }).expect(404, { message: 'Not Found' });
  const auditor = graph.as('auditor', { sub: '3' });
  await auditor.rest('post', `/v1/requests/${own.id}/notes`, { text: 'x' }).expect(403);
});

test.each<[object, [string, string]]>([
  [{}, ['text', 'Text is required']],
  [{ text: '  ' }, ['text', 'Text is required']],
  [{ text: 5 }, ['text', 'Text is not a text']],
  [{ text: 'x'.repeat(65_536) }, ['text', 'Text is too long (at most 65535 characters)']],
  [{ text: 'x', person_id: 3 }, ['person_id', 'Unknown member']],
])('the note nr. %# is refused', async (body, error) => {
  const { id } = await make('/v1/requests', { subject: 'x' });
  await admin.rest('post', `/v1/requests/${id}/notes`, body).expect(422, invalid(error));
  expect((await admin.get(`/v1/requests/${id}/notes`)).body).toEqual([]);
});

test('a note of 64 KB is taken', async () => {
  const { id } = await make('/v1/requests', { subject: 'x', note: 'ü'.repeat(65_535) });
  await admin.rest('post', `/v1/requests/${id}/notes`, { text: 'x'.repeat(65_535) }).expect(201);
});

/** What a record of the type cannot be without. */
async function needed(type: RecordType): Promise<object> {
  const members: [string, unknown][] = [[titleField(type), 'x']];
  for (const field of type.fields)
    if (field.required && field.kind === 'record')
      members.push([`${field.name}_id`, (await make(`/v1/${field.to.plural}`, { subject: 'x' })).id]);
  return Object.fromEntries(members);
}

test.each(recordTypes.map((type) => [type.name, type] as const))(
  'who may write a %s is who may do its mutation',
  async (_name, type) => {
    const path = `/v1/${type.plural}`;
    const body = await needed(type);
    const { id } = await make(path, body);
    const actions = [`${modelName(type)}:Create`, `${modelName(type)}:Update`];
    for (const role of roles) {
      const client = graph.as(role, { sub: '3' });
      for (const [write, method, at, usual] of [
        ['create', 'post', path, 201],
        ['update', 'patch', `${path}/${id}`, 200],
        ['update', 'put', `${path}/${id}`, 200],
      ] as const) {
        const expected = type.mutations[write]?.includes(role) ? usual : 403;
        expect([role, method, (await client.rest(method, at, body)).status]).toEqual([role, method, expected]);
        const others = actions.filter((action) => !action.toLowerCase().endsWith(write));
        const narrow = graph.as(role, { sub: '3', scopes: [{ effect: 'allow', actions: [...others, '*:Read'] }] });
        const { status, body: said } = await narrow.rest(method, at, body);
        expect([status, (said as { message: string }).message]).toEqual([403, expect.stringMatching(/scope/)]);
      }
    }
  },
);
