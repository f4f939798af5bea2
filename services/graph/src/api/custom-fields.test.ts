import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { FormField } from '@itsm/shared/contracts/ui-extensions';
import { memberName, rootField } from '@itsm/shared/declared/names';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { recordTypes } from '../record-types/all';
import { titleField } from '../record-types/record';
import { hasCustomFields } from '../store/custom-keys';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let admin: Client;
let forms = 0;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  admin = graph.as('account_administrator', { sub: '2', name: 'Ada Administrator' });
  for (const id of ['wdc', 'neighbour']) await graph.publishAccount({ id });
  await graph.publishPerson({ id: 2, name: 'Ada Administrator' });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

type Given = Partial<FormField> & { readonly id: string };

const field = (given: Given): FormField => ({ type: 'text', label: `Label of ${given.id}`, required: false, ...given });

/** Announces a form of its own; returns its id. */
async function publish(fields: readonly Given[], more: object = {}): Promise<number> {
  forms += 1;
  await graph.publishForm({ id: forms, fields: fields.map(field), ...more });
  return forms;
}

interface Payload {
  readonly request: { readonly id: string; readonly requestId: string; readonly customFields: unknown } | null;
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
}

const shown = 'request { id requestId customFields { id value } } errors { message path }';

const create = (input: object, as: Client = admin): Promise<Payload> =>
  as.ask('requestCreate', `mutation ($input: RequestCreateInput!) { requestCreate(input: $input) { ${shown} } }`, {
    input: { subject: 'S', ...input },
  });
const update = (input: object, as: Client = admin): Promise<Payload> =>
  as.ask('requestUpdate', `mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) { ${shown} } }`, {
    input,
  });

const formId = (id: number): string => nodeId('UiExtension', id);

/** The refusals of one value of a field by both edges, which say the same; the value that is kept when there are none. */
async function write(given: Given, value: unknown): Promise<unknown> {
  const id = await publish([given]);
  const list = [{ id: given.id, value }];
  const { request, errors } = await create({ uiExtensionId: formId(id), customFields: list });
  const { body, status } = await admin.rest('post', '/v1/requests', {
    subject: 'S',
    ui_extension_id: id,
    custom_fields: list,
  });
  const sent = body as { custom_fields?: unknown; errors?: [string, string][] };
  if (errors.length > 0) {
    expect(errors.map(({ path }) => path)).toEqual([['customFields', given.id]]);
    expect([status, sent.errors]).toEqual([422, errors.map(({ message }) => [`custom_fields.${given.id}`, message])]);
    return errors[0]?.message;
  }
  expect([status, sent.custom_fields]).toEqual([201, request?.customFields]);
  return (request?.customFields as { value: unknown }[] | null)?.map((one) => one.value)[0] ?? null;
}

const long = 'x'.repeat(70_000);

test.each<[type: FormField['type'], value: unknown, kept: unknown]>([
  ['text', ' Room 5 ', 'Room 5'],
  ['text', 5, 'is not a text'],
  ['text', ['a'], 'is not a text'],
  ['text', { $gt: '' }, 'is not a text'],
  ['text', long, 'is too long (at most 1000 characters)'],
  ['text', '', null],
  ['textarea', 'a\nb', 'a\nb'],
  ['textarea', long, 'is too long (at most 65535 characters)'],
  ['number', 3, 3],
  ['number', '-2.5', -2.5],
  ['number', -0, 0],
  ['number', 'three', 'is not a number'],
  ['number', true, 'is not a number'],
  ['number', '1e400', 'is not a number'],
  ['number', '', null],
  ['date', '2026-03-18', '2026-03-18'],
  ['date', '2026-02-30', 'is not a date'],
  ['date', 5, 'is not a date'],
  ['time', '13:45', '13:45'],
  ['time', '24:00', 'is not a time such as 13:45'],
  ['email', 'a@b.example', 'a@b.example'],
  ['email', 'a@', 'is not an e-mail address'],
  ['tel', '+31 20', '+31 20'],
  ['tel', 'x'.repeat(129), 'is too long (at most 128 characters)'],
  ['url', 'https://a.example/?q=1', 'https://a.example/?q=1'],
  ['url', 'not one', 'is not a URL'],
  ['password', 'x'.repeat(256), 'is too long (at most 255 characters)'],
  ['checkbox', true, true],
  ['checkbox', 'false', false],
  ['checkbox', 'yes', 'is not true or false'],
  ['checkbox', 1, 'is not true or false'],
  ['select', 'b', 'b'],
  ['select', 'c', 'is not one of a, b'],
  ['select', '', null],
  ['select', 1, 'is not one of a, b'],
  ['radio', 'a', 'a'],
  ['radio', 'toString', 'is not one of a, b'],
])('a field of type %s: %j', async (type, value, kept) => {
  const choices = { choices: ['a', 'b'] };
  const found = await write({ id: 'it', type, ...(['select', 'radio'].includes(type) && choices) }, value);
  const isRefusal = typeof kept === 'string' && kept.startsWith('is ');
  expect(found).toEqual(isRefusal ? `Label of it ${kept}` : kept);
});

test.each(['__proto__', 'constructor', '$where', 'a.b', 'a b', 'é', '"', '\\', 'x'.repeat(300)])(
  'a field with the id %j is as every other',
  async (id) => {
    expect(await write({ id }, 'kept')).toBe('kept');
    expect(await write({ id }, 5)).toBe(`Label of ${id}`.slice(0, 80) + ' is not a text');
  },
);

test('what is required, and shown, must be filled in', async () => {
  const id = await publish([
    { id: 'kind', type: 'select', choices: ['a', 'b'] },
    { id: 'why', required: true, visibleWhen: { field: 'kind', equals: 'b' } },
    { id: 'agreed', type: 'checkbox', required: true },
    { id: 'unless', required: true, visibleWhen: { field: 'agreed', equals: false } },
    { id: 'floor', type: 'number' },
    { id: 'lift', required: true, visibleWhen: { field: 'floor', equals: '3' } },
  ]);
  const missing = async (...customFields: object[]) =>
    (await create({ uiExtensionId: formId(id), customFields })).errors.map(({ message, path }) => {
      expect(message).toBe(`Label of ${path[1]} is required`);
      return path[1];
    });
  const agreed = { id: 'agreed', value: true };
  expect(await missing()).toEqual(['agreed', 'unless']);
  expect(await missing({ id: 'agreed', value: false })).toEqual(['agreed', 'unless']);
  expect(await missing(agreed)).toEqual([]);
  expect(await missing(agreed, { id: 'kind', value: 'a' })).toEqual([]);
  expect(await missing(agreed, { id: 'kind', value: 'b' })).toEqual(['why']);
  expect(await missing(agreed, { id: 'kind', value: 'b' }, { id: 'why', value: ' ' })).toEqual(['why']);
  expect(await missing(agreed, { id: 'floor', value: 3 })).toEqual(['lift']);
  // What is hidden is not lost, as in the form, but it must be of its type.
  expect(await missing(agreed, { id: 'why', value: 'Hidden' })).toEqual([]);
  const { errors } = await create({ uiExtensionId: formId(id), customFields: [agreed, { id: 'why', value: 1 }] });
  expect(errors.map(({ message }) => message)).toEqual(['Label of why is not a text']);
});

test('fields that are not named keep their values, and null empties one or all', async () => {
  const id = await publish([{ id: 'one' }, { id: 'two' }]);
  const { request } = await create({
    uiExtensionId: formId(id),
    customFields: [
      { id: 'two', value: 'B' },
      { id: 'one', value: 'A' },
    ],
  });
  const it = { id: request?.id };
  const after = async (customFields: unknown) => (await update({ ...it, customFields })).request?.customFields;
  expect(request?.customFields).toEqual([
    { id: 'one', value: 'A' },
    { id: 'two', value: 'B' },
  ]);
  expect(await after([])).toEqual(request?.customFields);
  expect(await after([{ id: 'one', value: 'C' }])).toEqual([
    { id: 'one', value: 'C' },
    { id: 'two', value: 'B' },
  ]);
  expect(await after([{ id: 'one', value: null }])).toEqual([{ id: 'two', value: 'B' }]);
  const path = `/v1/requests/${request?.requestId}`;
  const patched = async (body: object) => (await admin.rest('patch', path, body).expect(200)).body as typeof it;
  expect(await patched({ custom_fields: [{ id: 'one', value: 'D' }] })).toMatchObject({
    ui_extension: { id, name: 'Form' },
    custom_fields: [
      { id: 'one', value: 'D' },
      { id: 'two', value: 'B' },
    ],
  });
  expect(await patched({ custom_fields: '[{"id":"two","value":""}]' })).toMatchObject({
    custom_fields: [{ id: 'one', value: 'D' }],
  });
  expect(await after(null)).toBeNull();
});

test('ids that are unknown, given twice, or without a form are refused', async () => {
  const id = await publish([{ id: 'one' }]);
  const refusals = async (input: object) => (await create(input)).errors.map(({ message, path }) => [message, ...path]);
  const one = { id: 'one', value: 'A' };
  expect(await refusals({ uiExtensionId: formId(id), customFields: [one, { id: 'other', value: 1 }] })).toEqual([
    ['other is not a field of the form', 'customFields', 'other'],
  ]);
  expect(await refusals({ uiExtensionId: formId(id), customFields: [one, one] })).toEqual([
    ['Label of one is given twice', 'customFields', 'one'],
  ]);
  expect(await refusals({ customFields: [one] })).toEqual([['Custom fields need a UI extension', 'customFields']]);
  expect(await refusals({ uiExtensionId: formId(id), customFields: [{ id: '', value: 1 }] })).toEqual([
    ['Custom fields are not a list of `id` and `value`', 'customFields'],
  ]);
  const many = Array.from({ length: 1_001 }, (_none, n) => ({ id: `f${n}`, value: 1 }));
  expect(await refusals({ uiExtensionId: formId(id), customFields: many })).toEqual([
    ['Custom fields are more than 1000', 'customFields'],
  ]);
  const areas = ['a', 'b'].map((one) => ({ id: one, type: 'textarea' as const }));
  const large = await publish(areas);
  const texts = areas.map((area) => ({ id: area.id, value: 'x'.repeat(40_000) }));
  expect(await refusals({ uiExtensionId: formId(large), customFields: texts })).toEqual([
    ['Custom fields are longer than 64 KB together', 'customFields'],
  ]);
});

test('the form of another account, a disabled one and an unknown one cannot be chosen', async () => {
  const foreign = await publish([{ id: 'one' }], { accountId: 'neighbour' });
  const disabled = await publish([{ id: 'one' }], { disabled: true });
  const customFields = [{ id: 'one', value: 'A' }];
  for (const [id, message] of [
    [foreign, 'UI extension was not found'],
    [disabled, 'UI extension is disabled'],
    [9_999, 'UI extension was not found'],
  ] as const) {
    const { errors } = await create({ uiExtensionId: formId(id), customFields });
    expect(errors).toEqual([{ message, path: ['uiExtensionId'] }]);
    const { body } = await admin.rest('post', '/v1/requests', { subject: 'S', ui_extension_id: id }).expect(422);
    expect(body).toEqual({ message: 'Validation Failed', errors: [['ui_extension_id', message]] });
  }
});

test('with a new version of the form, former values can be read, kept and emptied, and other changes go on', async () => {
  const id = await publish([{ id: 'old' }, { id: 'kept' }]);
  const customFields = ['old', 'kept'].map((one) => ({ id: one, value: 'A' }));
  const { request } = await create({ uiExtensionId: formId(id), customFields });
  const fields = [field({ id: 'kept', type: 'number' }), field({ id: 'new', required: true })];
  await graph.publishForm({ id, fields, version: 2 });
  const it = { id: request?.id };
  expect(await update({ ...it, subject: 'Other' })).toMatchObject({
    request: { customFields: request?.customFields },
    errors: [],
  });
  const refusals = async (...list: object[]) =>
    (await update({ ...it, customFields: list })).errors.map(({ message }) => message);
  const now = { id: 'new', value: 'B' };
  expect(await refusals({ id: 'old', value: 'A' })).toEqual(['Label of new is required']);
  expect(await refusals(now, { id: 'old', value: 'C' })).toEqual(['old is no longer a field of the form']);
  expect(await refusals(now, { id: 'kept', value: 'A' })).toEqual(['Label of kept is not a number']);
  expect(await refusals(now, { id: 'old', value: 'A' })).toEqual([]);
  expect((await update({ ...it, customFields: [{ id: 'old', value: null }] })).request?.customFields).toEqual([
    { id: 'kept', value: 'A' },
    now,
  ]);
});

test('with another form a record keeps the values that it takes; without one it has none', async () => {
  const one = await publish([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  const other = await publish([{ id: 'a' }, { id: 'b', type: 'number' }]);
  const customFields = ['a', 'b', 'c'].map((id) => ({ id, value: 'A' }));
  const { request } = await create({ uiExtensionId: formId(one), customFields });
  const it = { id: request?.id };
  expect((await update({ ...it, uiExtensionId: formId(other) })).request?.customFields).toEqual([
    { id: 'a', value: 'A' },
  ]);
  expect((await update({ ...it, uiExtensionId: null })).request?.customFields).toBeNull();
});

const types = recordTypes.filter(hasCustomFields);

test('all types have custom fields but service level agreements', () => {
  expect(recordTypes.filter((type) => !types.includes(type)).map(({ name }) => name)).toEqual(['sla']);
});

test.each(types.map((type) => [type.name, type] as const))('a %s has them, in lists too', async (_name, type) => {
  const id = await publish([{ id: 'floor', type: 'number' }]);
  const title = titleField(type);
  const project = (await admin.rest('post', '/v1/projects', { subject: 'P' })).body as { id: number };
  const body = { [title]: 'T', ui_extension_id: id, custom_fields: [{ id: 'floor', value: 3 }] };
  const parent = type.name === 'project_task' && { project_id: project.id };
  const { body: made } = await admin.rest('post', `/v1/${type.plural}`, { ...body, ...parent }).expect(201);
  const filter = { customFilters: [{ name: 'floor', values: ['3'] }] };
  const query = `query ($filter: ${type.graphqlName}Filter) { ${rootField(type)}(first: 5, filter: $filter) {
    nodes { number uiExtension { id } customFields { id value } } } }`;
  expect(await admin.ask(`${rootField(type)}.nodes`, query, { filter })).toEqual([
    { number: (made as { id: number }).id, uiExtension: { id: formId(id) }, customFields: body.custom_fields },
  ]);
  expect(
    await admin.ask(
      `${memberName(type)}.customFields`,
      `{ ${memberName(type)}(id: "${nodeId(type.graphqlName, (made as { id: number }).id)}") { customFields { value } } }`,
    ),
  ).toEqual([{ value: 3 }]);
  const { body: list } = await admin.get(`/v1/${type.plural}?fields=custom_fields&sort=-id`).expect(200);
  expect((list as object[])[0]).toMatchObject({ custom_fields: body.custom_fields });
});

describe('filters', () => {
  const found = async (as: Client, ...customFilters: object[]): Promise<string[]> => {
    const query =
      'query ($filter: RequestFilter) { requests(first: 50, filter: $filter) { nodes { subject } totalCount } }';
    const { nodes, totalCount } = await as.ask<{ nodes: { subject: string }[]; totalCount: number }>(
      'requests',
      query,
      {
        filter: { customFilters, query: 'filtered' },
      },
    );
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ subject }) => subject.replace('filtered ', ''));
  };

  beforeAll(async () => {
    const fields: Given[] = [
      { id: 'floor', type: 'number' },
      { id: 'ok', type: 'checkbox' },
      { id: 'a.b' },
      { id: '$where', type: 'textarea' },
    ];
    const id = await publish(fields);
    const rows: Record<string, Record<string, unknown>> = {
      one: { floor: 3, ok: true, 'a.b': 'x' },
      two: { floor: 4, ok: false, 'a.b': '3' },
      three: { floor: 3, $where: 'y'.repeat(300) },
    };
    for (const [subject, values] of Object.entries(rows)) {
      const customFields = Object.entries(values).map(([one, value]) => ({ id: one, value }));
      expect(
        (await create({ subject: `filtered ${subject}`, uiExtensionId: formId(id), customFields })).errors,
      ).toEqual([]);
    }
    const theirs = graph.as('account_administrator', { sub: '9' }, 'neighbour');
    const foreign = await publish(fields, { accountId: 'neighbour' });
    const customFields = [{ id: 'floor', value: 3 }];
    await create({ subject: 'filtered theirs', uiExtensionId: formId(foreign), customFields }, theirs);
  });

  test('by equal values, alternatives, several fields and their negation', async () => {
    expect(await found(admin, { name: 'floor', values: ['3'] })).toEqual(['one', 'three']);
    expect(await found(admin, { name: 'floor', values: ['3', '4'] })).toEqual(['one', 'two', 'three']);
    expect(await found(admin, { name: 'floor', values: ['3'] }, { name: 'ok', values: ['true'] })).toEqual(['one']);
    expect(await found(admin, { name: 'floor', values: ['3'], negate: true })).toEqual(['two']);
    expect(await found(admin, { name: 'a.b', values: ['3'] })).toEqual(['two']);
    expect(await found(admin, { name: '$where', values: ['y'.repeat(300)] })).toEqual(['three']);
    expect(await found(admin, { name: '$where', values: ['y'.repeat(301)] })).toEqual([]);
    expect(await found(admin, { name: 'floor', values: [] })).toEqual([]);
    expect(await found(admin, { name: '__proto__', values: ['3'] })).toEqual([]);
  });

  test('never find records of a neighbour', async () => {
    expect(
      await found(graph.as('account_administrator', { sub: '9' }, 'neighbour'), { name: 'floor', values: ['3'] }),
    ).toEqual(['theirs']);
  });

  test('are few, with few values', async () => {
    const ask = async (customFilters: object[]) =>
      (
        await admin.graphql('query ($filter: RequestFilter) { requests(first: 1, filter: $filter) { totalCount } }', {
          filter: { customFilters },
        })
      ).errors?.map(({ message }) => message);
    const one = { name: 'floor', values: ['3'] };
    expect(await ask(Array.from({ length: 21 }, () => one))).toEqual(['filter.customFilters has more than 20 members']);
    const values = Array.from({ length: 101 }, (_none, n) => String(n));
    expect((await ask([{ name: 'floor', values }]))?.[0]).toMatch(
      /^filter\.customFilters: floor has more than \d+ values$/,
    );
  });
});

test('end users fill them in when they create a request; the name of the extension needs its scope', async () => {
  await graph.publishPerson({ id: 5, name: 'Una User', roles: { wdc: ['end_user'] } });
  const id = await publish([{ id: 'one', required: true }]);
  const user = graph.as('end_user', { sub: '5', name: 'Una User' });
  const customFields = [{ id: 'one', value: 'A' }];
  expect((await create({ uiExtensionId: formId(id) }, user)).errors).toEqual([
    { message: 'Label of one is required', path: ['customFields', 'one'] },
  ]);
  const { request } = await create({ uiExtensionId: formId(id), customFields }, user);
  expect(request?.customFields).toEqual(customFields);
  expect(
    (
      await user.graphql(
        `mutation { requestUpdate(input: { id: "${request?.id}", customFields: [] }) { errors { message } } }`,
      )
    ).errors?.[0]?.extensions.code,
  ).toBe('FORBIDDEN');
  const scopes = [{ effect: 'allow' as const, actions: ['request:Read'] }];
  const reader = graph.as('specialist', { sub: '2', scopes });
  const { errors } = await reader.graphql(
    `{ request(id: "${request?.id}") { customFields { id } uiExtension { id } } }`,
  );
  expect(errors?.[0]?.message).toBe('Missing required scope(s): ui-extension:Read');
  const { body } = await reader.get(`/v1/requests/${request?.requestId}`).expect(200);
  expect(body).toMatchObject({ ui_extension: null, custom_fields: customFields });
  await reader.rest('patch', `/v1/requests/${request?.requestId}`, { custom_fields: [] }).expect(403);
  const foreign = graph.as('account_administrator', { sub: '9' }, 'neighbour');
  await foreign.rest('patch', `/v1/requests/${request?.requestId}`, { custom_fields: [] }).expect(404);
});

test('of two changes of one version the second is refused, and of changes at once none is lost', async () => {
  const ids = Array.from({ length: 4 }, (_none, n) => `f${n}`);
  const id = await publish(ids.map((one) => ({ id: one })));
  const { request } = await create({ uiExtensionId: formId(id) });
  const changes = await Promise.all(
    ids.map((one) => update({ id: request?.id, customFields: [{ id: one, value: one }] })),
  );
  expect(changes.flatMap(({ errors }) => errors)).toEqual([]);
  const read = `{ request(id: "${request?.id}") { version customFields { id value } } }`;
  const now = await admin.ask<{ version: number; customFields: unknown }>('request', read);
  expect(now).toEqual({ version: 5, customFields: ids.map((one) => ({ id: one, value: one })) });
  const change = `mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { path } } }`;
  const input = { id: request?.id, ifVersion: 5, customFields: [{ id: 'f0', value: 'x' }] };
  expect((await admin.graphql(change, { input })).errors).toBeUndefined();
  expect(await admin.ask('requestUpdate.errors', change, { input })).toEqual([{ path: ['ifVersion'] }]);
});

test('audit lines and events have each field by its id', async () => {
  const id = await publish([{ id: 'aB' }, { id: 'floor', type: 'number' }]);
  const { request } = await create({ uiExtensionId: formId(id), customFields: [{ id: 'aB', value: 'A' }] });
  await update({
    id: request?.id,
    customFields: [
      { id: 'aB', value: null },
      { id: 'floor', value: 3 },
    ],
  });
  const { body } = await admin.get(`/v1/requests/${request?.requestId}/audit`).expect(200);
  const lines = (body as { changes: unknown }[]).map(({ changes }) => changes);
  expect(JSON.stringify(lines)).toContain('customFields.aB');
  const read = `{ request(id: "${request?.id}") { auditLines(last: 1) { nodes { changes { field from to } } } } }`;
  expect(await admin.ask('request.auditLines.nodes', read)).toEqual([
    {
      changes: [
        { field: 'customFields.aB', from: 'A', to: null },
        { field: 'customFields.floor', from: null, to: '3' },
      ],
    },
  ]);
  const event = await waitUntil('the update', () =>
    graph.events.find(({ event: name, object }) => name === 'request.update' && object.nodeID === request?.id),
  );
  expect(event.payload.custom_fields).toEqual([{ id: 'floor', value: 3 }]);
});

test('administrators see how many records the active form does not fit, of their account only', async () => {
  const id = await publish([{ id: 'floor' }, { id: 'old' }]);
  const of = { uiExtensionId: formId(id) };
  for (const list of [[{ id: 'floor', value: '3' }], [{ id: 'floor', value: 'x' }], [{ id: 'old', value: 'x' }], []])
    expect((await create({ ...of, customFields: list })).errors).toEqual([]);
  const body = { subject: 'P', ui_extension_id: id, custom_fields: [{ id: 'floor', value: 'x' }] };
  await admin.rest('post', '/v1/problems', body).expect(201);
  const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on UiExtension { unfitRecords } } }';
  const ask = (as: Client, extension = id) =>
    as.graphql(query, { of: [{ __typename: 'UiExtension', id: formId(extension) }] });
  const count = async (as: Client, extension = id) =>
    (await ask(as, extension)).data?.['_entities'] as readonly { unfitRecords: number }[];
  expect(await count(admin)).toEqual([{ unfitRecords: 0 }]);
  await graph.publishForm({ id, fields: [field({ id: 'floor', type: 'number' })], version: 2 });
  expect(await count(admin)).toEqual([{ unfitRecords: 3 }]);
  expect(await count(graph.as('account_administrator', { sub: '9' }, 'neighbour'))).toEqual([{ unfitRecords: 0 }]);
  expect(await count(admin, 9_999)).toEqual([{ unfitRecords: 0 }]);
  expect((await ask(graph.as('specialist', { sub: '2' }))).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});
