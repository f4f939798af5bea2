import type { FormField } from '@itsm/shared/contracts/ui-extensions';
import { memberName, rootField } from '@itsm/shared/declared/names';
import { recordTypes } from '../record-types/all';
import { titleField } from '../record-types/record';
import { hasCustomFields } from '../store/custom-keys';
import { formId, startForms } from '../testing/custom-forms';
import type { GivenField, RunningForms } from '../testing/custom-forms';
import { nodeId } from '../testing/start-graph';

let forms: RunningForms;
let admin: RunningForms['admin'];
let create: RunningForms['create'];
let publish: RunningForms['publish'];

beforeAll(async () => {
  forms = await startForms();
  ({ admin, create, publish } = forms);
});
afterAll(() => forms.close());

/** The refusals of one value of a field by both edges, which say the same; the value that is kept when there are none. */
async function write(given: GivenField, value: unknown): Promise<unknown> {
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
    { id: 'which', required: true, visibleWhen: { field: 'why', equals: 'Other' } },
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
  const other = { id: 'why', value: 'Other' };
  expect(await missing(agreed, { id: 'kind', value: 'b' }, other)).toEqual(['which']);
  // With its other field a field is hidden as well.
  expect(await missing(agreed, { id: 'kind', value: 'a' }, other)).toEqual([]);
  // What is hidden is not lost, as in the form, but it must be of its type.
  expect(await missing(agreed, { id: 'why', value: 'Hidden' })).toEqual([]);
  const { errors } = await create({ uiExtensionId: formId(id), customFields: [agreed, { id: 'why', value: 1 }] });
  expect(errors.map(({ message }) => message)).toEqual(['Label of why is not a text']);
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
