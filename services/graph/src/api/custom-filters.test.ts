import { waitUntil } from '@itsm/shared/testing/wait-until';
import { fieldOf, formId, startForms } from '../testing/custom-forms';
import type { GivenField, RunningForms } from '../testing/custom-forms';
import type { Client } from '../testing/start-graph';

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
    const fields: GivenField[] = [
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
    const theirs = neighbour;
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

  test('are parameters of lists in REST', async () => {
    const list = async (query: string, as = admin): Promise<string[]> => {
      const { body } = await as.get(`/v1/requests?fields=subject&sort=id&${query}`).expect(200);
      return (body as { subject: string }[])
        .filter(({ subject }) => subject.startsWith('filtered'))
        .map(({ subject }) => subject.replace('filtered ', ''));
    };
    expect(await list('custom_fields.floor=3')).toEqual(['one', 'three']);
    expect(await list('custom_fields.floor=3,4')).toEqual(['one', 'two', 'three']);
    expect(await list('custom_fields.floor=3&custom_fields.ok=true')).toEqual(['one']);
    expect(await list('custom_fields.floor=!3')).toEqual(['two']);
    expect(await list('custom_fields.a.b=3')).toEqual(['two']);
    expect(await list('custom_fields.floor=3', neighbour)).toEqual(['theirs']);
    expect(await list('custom_fields.none=3')).toEqual([]);
  });

  test.each([
    ['custom_fields.floor=', 'custom_fields.floor cannot be filtered by '],
    ['custom_fields.floor=!', 'custom_fields.floor cannot be filtered by !'],
    ['custom_fields.floor=%3E3', 'custom_fields.floor cannot be filtered by >3'],
    [`custom_fields.floor=${'1,'.repeat(100)}1`, 'custom_fields.floor cannot be filtered by more than 100 values'],
    [
      Array.from({ length: 21 }, (_none, n) => `custom_fields.f${n}=1`).join('&'),
      'More than 20 filters by custom fields',
    ],
  ])('in REST are refused: %.40s', async (query, message) => {
    const { body } = await admin.get(`/v1/requests?${query}`).expect(400);
    expect(body).toMatchObject({ message });
  });

  test('a type without custom fields has none', async () => {
    const { body } = await admin.get('/v1/slas?custom_fields.floor=3');
    expect(body).toMatchObject({ message: 'Filtering not allowed on fields: custom_fields.floor' });
  });

  test('never find records of a neighbour', async () => {
    expect(await found(neighbour, { name: 'floor', values: ['3'] })).toEqual(['theirs']);
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
    (await ask(as, extension)).data?.['_entities'] as readonly { unfitRecords: number | null }[];
  expect(await count(admin)).toEqual([{ unfitRecords: 0 }]);
  await graph.publishForm({ id, fields: [fieldOf({ id: 'floor', type: 'number' })], version: 2 });
  expect(await count(admin)).toEqual([{ unfitRecords: 3 }]);
  expect(await count(neighbour)).toEqual([{ unfitRecords: null }]);
  expect(await count(admin, 9_999)).toEqual([{ unfitRecords: null }]);
  expect((await ask(graph.as('specialist', { sub: '2' }))).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});
