import { fieldOf, formId, startForms } from '../testing/custom-forms';
import type { RunningForms } from '../testing/custom-forms';

let forms: RunningForms;
let graph: RunningForms['graph'];
let admin: RunningForms['admin'];
let neighbour: RunningForms['neighbour'];
let create: RunningForms['create'];
let update: RunningForms['update'];
let publish: RunningForms['publish'];

beforeAll(async () => {
  forms = await startForms();
  ({ graph, admin, neighbour, create, update, publish } = forms);
});
afterAll(() => forms.close());

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
  const fields = [fieldOf({ id: 'kept', type: 'number' }), fieldOf({ id: 'new', required: true })];
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
  const foreign = neighbour;
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
