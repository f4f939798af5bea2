import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { bodyIn, listIn, startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const path = '/v1/ui_extensions';
const lineId = (id: number): string => toNodeId('service.example', 'UiExtensionAuditLine', id);

/** Starts a service with an extension: version 1 archived, 2 active, 3 being prepared. */
async function startWithHistory() {
  const service = await store.start();
  const ann = service.as('wdc', { sub: '7', name: 'Ann' });
  const bob = service.as('wdc', { sub: '8', name: 'Bob' });
  await ann.post(path).send({ name: 'A', html: 'one' }).expect(201);
  service.clock.time = new Date('2026-03-19T00:00:00Z');
  await bob.patch(`${path}/1`).send({ html: 'two', css: '.a { b: c }', javascript: null, activate: true }).expect(200);
  await ann.patch(`${path}/1`).send({ name: 'B' }).expect(200);
  await ann.patch(`${path}/1`).send({ html: 'two' }).expect(200);
  await ann.patch(`${path}/1`).send({ dark_mode_safe: true, form_definition: '{}' }).expect(200);
  await ann.patch(`${path}/1`).send({ activate: true }).expect(200);
  return { ...service, ann };
}

const ann = { id: 7, name: 'Ann' };
const bob = { id: 8, name: 'Bob' };
const first = '2026-03-18T19:04:06Z';
const second = '2026-03-19T00:00:00Z';

test("a version's audit shows who changed which of its fields when", async () => {
  const client = (await startWithHistory()).ann;
  const { view_audit_path: address } = (await client.get(`${path}/1/versions/1`)).body as { view_audit_path: string };
  const version = { id: 1, version_nr: 1 };
  const html = { field: 'html' };
  const active = { field: 'status', from: 'being_prepared', to: 'active' };
  const gone = { field: 'status', from: 'active', to: 'archived' };
  expect(bodyIn(await client.get(address).expect(200))).toEqual([
    {
      id: 2,
      nodeID: lineId(2),
      action: 'created',
      version,
      changed_fields: ['html'],
      changes: [html],
      created_by: ann,
      created_at: first,
    },
    {
      id: 3,
      nodeID: lineId(3),
      action: 'activated',
      version,
      changed_fields: ['css', 'html', 'status'],
      changes: [{ field: 'css' }, html, active],
      created_by: bob,
      created_at: second,
    },
    {
      id: 7,
      nodeID: lineId(7),
      action: 'archived',
      version,
      changed_fields: ['status'],
      changes: [gone],
      created_by: ann,
      created_at: second,
    },
  ]);
  expect(bodyIn(await client.get(`${path}/1/versions/2/audit`))).toMatchObject([
    { id: 4, action: 'created', changed_fields: ['css', 'html'], created_by: bob },
    {
      id: 6,
      action: 'updated',
      changed_fields: ['form_definition', 'dark_mode_safe'],
      created_by: ann,
      changes: [{ field: 'form_definition' }, { field: 'dark_mode_safe', from: false, to: true }],
    },
    { id: 8, action: 'activated', changed_fields: ['status'] },
  ]);
  expect(bodyIn(await client.get(`${path}/1/versions/3/audit`))).toMatchObject([{ id: 9, action: 'created' }]);
});

test('the audit of an extension has its own changes, with the values, among those of its versions', async () => {
  const { ann: client, as } = await startWithHistory();
  const lines = listIn(await client.get(`${path}/1/audit?per_page=100`).expect(200));
  expect(lines.map(({ id, action, version }) => [id, action, version])).toEqual([
    [1, 'created', null],
    [2, 'created', { id: 1, version_nr: 1 }],
    [3, 'activated', { id: 1, version_nr: 1 }],
    [4, 'created', { id: 2, version_nr: 2 }],
    [5, 'updated', null],
    [6, 'updated', { id: 2, version_nr: 2 }],
    [7, 'archived', { id: 1, version_nr: 1 }],
    [8, 'activated', { id: 2, version_nr: 2 }],
    [9, 'created', { id: 3, version_nr: 3 }],
  ]);
  expect(lines[4]).toMatchObject({
    changed_fields: ['name'],
    changes: [{ field: 'name', from: 'A', to: 'B' }],
    created_by: ann,
  });
  expect(listIn(await client.get(`${path}/1/audit?action=created&sort=-id`)).map(({ id }) => id)).toEqual([9, 4, 2, 1]);
  await as('acme').get(`${path}/1/audit`).expect(404, { message: 'Not Found' });
});

test('audit lines come by pages, in any order, with chosen fields', async () => {
  const { ann: client } = await startWithHistory();
  const page = await client.get(`${path}/1/versions/1/audit?sort=-id&per_page=2&fields=action`).expect(200);
  expect(bodyIn(page)).toEqual([
    { id: 7, action: 'archived' },
    { id: 3, action: 'activated' },
  ]);
  expect(page.headers['x-pagination-total-entries']).toBe('3');
});

test('concurrent writers leave one line each', async () => {
  const { as } = await store.start();
  const client = as('wdc');
  await client.post(path).send({ name: 'A' }).expect(201);
  const texts = Array.from({ length: 6 }, (_, index) => `text ${index}`);
  await Promise.all(texts.map((html) => client.patch(`${path}/1`).send({ html }).expect(200)));
  const lines = listIn(await client.get(`${path}/1/versions/1/audit`));
  expect(lines.map(({ action }) => action)).toEqual(['created', ...texts.map(() => 'updated')]);
});

test('a refused write leaves no line', async () => {
  const { ann: client } = await startWithHistory();
  await client.patch(`${path}/1`).send({ css: '.a {' }).expect(422);
  expect(listIn(await client.get(`${path}/1/versions/3/audit`))).toHaveLength(1);
});

test("the audit of another account's version, or of another extension's, is Not Found and cannot be written", async () => {
  const { as, ann: client, anonymous } = await startWithHistory();
  await as('acme').get(`${path}/1/versions/1/audit`).expect(404, { message: 'Not Found' });
  await as('acme').post(path).send({ name: 'C' }).expect(201);
  await as('acme').get(`${path}/2/versions/1/audit`).expect(404, { message: 'Not Found' });
  await client.get(`${path}/1/versions/99/audit`).expect(404);
  await client.get(`${path}/1/versions/x/audit`).expect(404);
  await anonymous.get(`${path}/1/versions/1/audit`).expect(401);
  await as('wdc', { scopes: [] }).get(`${path}/1/versions/1/audit`).expect(403);
  for (const method of ['post', 'patch', 'put', 'delete'] as const)
    await client[method](`${path}/1/versions/1/audit`).expect(405);
});

test('GraphQL has the same lines, of an extension and of each version, in both directions', async () => {
  const { ann: client, as } = await startWithHistory();
  const ask = async (selection: string, by = client): Promise<unknown> => {
    const answer = await by
      .post('/graphql')
      .send({ query: `{ uiExtension(id: "1") { ${selection} } }` })
      .expect(200);
    return (answer.body as { data: { uiExtension: unknown } }).data.uiExtension;
  };
  const fields = 'id action versionID versionNr personID personName createdAt changes { field from to }';
  expect(await ask(`auditLines(first: 3) { totalCount nodes { ${fields} } }`)).toMatchObject({
    auditLines: {
      totalCount: 9,
      nodes: [
        {
          id: lineId(1),
          action: 'created',
          versionID: null,
          versionNr: null,
          changes: [
            { field: 'name', from: null, to: 'A' },
            { field: 'disabled', from: null, to: 'false' },
          ],
        },
        { id: lineId(2), action: 'created', changes: [{ field: 'html', from: null, to: null }] },
        {
          id: lineId(3),
          action: 'activated',
          versionNr: 1,
          versionID: toNodeId('service.example', 'UiExtensionVersion', 1),
          personID: toNodeId('service.example', 'Person', 8),
          personName: 'Bob',
          createdAt: second,
          changes: [
            { field: 'css', from: null, to: null },
            { field: 'html', from: null, to: null },
            { field: 'status', from: 'being_prepared', to: 'active' },
          ],
        },
      ],
    },
  });
  expect(
    await ask('preparedVersion { auditLines(last: 9) { nodes { id } } } auditLines(last: 2) { nodes { id } }'),
  ).toEqual({
    preparedVersion: { auditLines: { nodes: [{ id: lineId(9) }] } },
    auditLines: { nodes: [{ id: lineId(8) }, { id: lineId(9) }] },
  });
  expect(
    await ask(
      'versions(first: 2) { nodes { auditLines(first: 1) { totalCount nodes { id } pageInfo { hasNextPage } } } }',
    ),
  ).toEqual({
    versions: {
      nodes: [
        { auditLines: { totalCount: 3, nodes: [{ id: lineId(2) }], pageInfo: { hasNextPage: true } } },
        { auditLines: { totalCount: 3, nodes: [{ id: lineId(4) }], pageInfo: { hasNextPage: true } } },
      ],
    },
  });
  expect(await ask('auditLines(first: 1) { totalCount }', as('acme'))).toBeNull();
});

test('every line is found by its node id, in its account and with the scope only', async () => {
  const { as, ann: client, anonymous } = await startWithHistory();
  const query = `query ($id: ID!) { _entities(representations: [{ __typename: "UiExtensionAuditLine", id: $id }]) {
    ... on UiExtensionAuditLine { id action versionNr personName changes { field } } } }`;
  const ask = (id: string, by = client) => by.post('/graphql').send({ query, variables: { id } });
  const lines = listIn(await client.get(`${path}/1/audit`));
  expect(lines).toHaveLength(9);
  for (const line of lines) {
    const { body } = await ask(String(line['nodeID'])).expect(200);
    expect(body).toMatchObject({ data: { _entities: [{ id: line['nodeID'], action: line['action'] }] } });
  }
  for (const id of [lineId(10), toNodeId('service.example', 'UiExtension', 1), 'junk'])
    expect(bodyIn(await ask(id).expect(200))).toEqual({ data: { _entities: [null] } });
  for (const id of [lineId(1), lineId(9)])
    expect(bodyIn(await ask(id, as('acme')).expect(200))).toEqual({ data: { _entities: [null] } });
  const { body } = await ask(lineId(1), as('wdc', { scopes: [] })).expect(200);
  expect(body).toMatchObject({ data: { _entities: [null] }, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  await anonymous
    .post('/graphql')
    .send({ query, variables: { id: lineId(1) } })
    .expect(401);
});

test('authors are named to tokens that may read people', async () => {
  const { as } = await startWithHistory();
  const seenWith = async (...actions: string[]) => {
    const by = as('wdc', { scopes: [{ effect: 'allow', actions }] });
    const query = '{ uiExtension(id: "1") { auditLines(first: 1) { nodes { action personName } } } }';
    const { body } = await by.post('/graphql').send({ query }).expect(200);
    const { nodes } = (body as { data: { uiExtension: { auditLines: { nodes: object[] } } } }).data.uiExtension
      .auditLines;
    const [line] = listIn(await by.get(`${path}/1/audit`).expect(200));
    const [ofVersion] = listIn(await by.get(`${path}/1/versions/1/audit`).expect(200));
    return { graphql: nodes[0], rest: line?.['created_by'], ofVersion: ofVersion?.['created_by'] };
  };
  expect(await seenWith('ui-extension:Read', 'person:Read')).toEqual({
    graphql: { action: 'created', personName: 'Ann' },
    rest: ann,
    ofVersion: ann,
  });
  expect(await seenWith('ui-extension:Read')).toEqual({
    graphql: { action: 'created', personName: null },
    rest: null,
    ofVersion: null,
  });
});
