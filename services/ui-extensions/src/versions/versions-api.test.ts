import type { Role } from '@itsm/shared/contracts/directory';
import { bodyIn, idIn, listIn, startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const html = '<h1 title="Order">Order a laptop</h1><label>Model<input placeholder="14 inch"></label>';

/** Starts a service with an extension: version 1 archived, 2 active, 3 being prepared. */
async function startWithVersions() {
  const service = await store.start();
  const { app, as, clock } = service;
  clock.time = new Date('2026-03-18T19:04:06Z');
  const { id } = await app.seed.ensureExtension('wdc', {
    source: 'test',
    sourceID: 'x',
    name: 'Laptop order',
    title: 'Laptops',
    category: 'request_template',
    html,
    css: '$c: #123; .title { color: $c; }',
    javascript: '',
    activations: [{}],
  });
  clock.time = new Date('2026-04-01T08:00:00Z');
  await as('wdc').patch(`/v1/ui_extensions/${id}`).send({ name: 'Laptops', activate: true }).expect(200);
  return { ...service, id, path: `/v1/ui_extensions/${id}/versions` };
}

interface Answer {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const created = '2026-03-18T19:04:06Z';
const later = '2026-04-01T08:00:00Z';

test("the prepared version is visible only to people who work with the account's records", async () => {
  const { as, id, path } = await startWithVersions();
  const read = async (role: Role) => {
    const client = as('wdc', { accounts: { wdc: [role] } });
    const listed = listIn(await client.get(path).expect(200)).map(({ status }) => status);
    const page = await client.get(`${path}?per_page=1`);
    const extension = bodyIn(await client.get(`/v1/ui_extensions/${id}`).expect(200)) as { prepared_version: unknown };
    const statuses = await Promise.all(
      [`${path}/3`, `${path}/3/audit`, `/v1/ui_extensions/${id}/translations`].map((address) =>
        client.get(address).then(({ status }) => status),
      ),
    );
    const preview = await client.post(`/v1/ui_extensions/${id}/preview`);
    const query = `{ uiExtensions(first: 1) { nodes { activeVersion { versionNr } preparedVersion { html } versions(first: 9) { totalCount nodes { versionNr } } } } }`;
    const node = Buffer.from('service.example/UiExtensionVersion/3').toString('base64url');
    const references = [{ __typename: 'UiExtensionVersion', id: node }];
    const entity = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on UiExtensionVersion { versionNr } } }`;
    return {
      listed,
      total: (page.headers as Record<string, string>)['x-pagination-total-entries'],
      named: extension.prepared_version !== null,
      statuses: [...statuses, preview.status],
      graphql: bodyIn(await client.post('/graphql').send({ query })),
      entities: bodyIn(await client.post('/graphql').send({ query: entity, variables: { of: references } })),
    };
  };
  for (const role of ['account_administrator', 'specialist', 'auditor'] as const)
    expect(await read(role)).toMatchObject({
      listed: ['archived', 'active', 'being_prepared'],
      total: '3',
      named: true,
      statuses: [200, 200, 200, 201],
      graphql: { data: { uiExtensions: { nodes: [{ versions: { totalCount: 3 } }] } } },
      entities: { data: { _entities: [{ versionNr: 3 }] } },
    });
  for (const role of ['end_user', 'key_contact'] as const) {
    const seen = await read(role);
    expect(seen).toMatchObject({
      listed: ['archived', 'active'],
      total: '2',
      named: false,
      statuses: [404, 404, 403, 403],
      graphql: {
        // Only the field is missing, and not the list around it.
        data: { uiExtensions: { nodes: [{ preparedVersion: null, versions: { totalCount: 2 } }] } },
        errors: [{ message: 'Forbidden', path: ['uiExtensions', 'nodes', 0, 'preparedVersion'] }],
      },
      entities: { data: { _entities: [null] } },
    });
    expect(JSON.stringify(seen.graphql)).not.toContain('laptop');
  }
});

test('the versions are listed by ascending id with exactly the default fields', async () => {
  const { as, path } = await startWithVersions();
  const body = bodyIn(await as('wdc').get(path).expect(200));
  expect(body).toEqual([
    {
      id: 1,
      name: 'Laptop order',
      version_nr: 1,
      status: 'archived',
      activated_at: created,
      archived_at: later,
      created_at: created,
      updated_at: later,
    },
    {
      id: 2,
      name: 'Laptop order',
      version_nr: 2,
      status: 'active',
      activated_at: later,
      archived_at: null,
      created_at: created,
      updated_at: later,
    },
    {
      id: 3,
      name: 'Laptops',
      version_nr: 3,
      status: 'being_prepared',
      activated_at: null,
      archived_at: null,
      created_at: later,
      updated_at: later,
    },
  ]);
});

test('one version has every field', async () => {
  const { as, path, id } = await startWithVersions();
  const body = bodyIn(await as('wdc').get(`${path}/1`).expect(200));
  expect(body).toEqual({
    id: 1,
    name: 'Laptop order',
    version_nr: 1,
    status: 'archived',
    activated_at: created,
    archived_at: later,
    created_at: created,
    updated_at: later,
    css: '$c: #123; .title { color: $c; }',
    html,
    javascript: '',
    form_definition: null,
    form_definition_react: '',
    dark_mode_safe: false,
    use_designer: false,
    phrases: ['Order', 'Order a laptop', 'Model', '14 inch'],
    view_audit_path: `/v1/ui_extensions/${id}/versions/1/audit`,
    compiled_css: '.ui-extension-1{.title{color:#123}}',
    localized_html: html,
    ui_extension: { id, name: 'Laptops' },
    formatted_activated_at: 'Mar 18, 2026, 7:04 PM',
    formatted_archived_at: 'Apr 1, 2026, 8:00 AM',
  });
});

test('a version that was never activated has empty formatted times', async () => {
  const { as, path } = await startWithVersions();
  const body = bodyIn(await as('wdc').get(`${path}/3`).expect(200));
  expect(body).toMatchObject({ activated_at: null, formatted_activated_at: '', formatted_archived_at: '' });
});

test("times are formatted in the caller's locale and time zone, and in English and UTC when these are unknown", async () => {
  const { as, path } = await startWithVersions();
  const dutch = as('wdc', { locale: 'nl', time_zone: 'Asia/Tokyo' });
  expect((await dutch.get(`${path}/1`)).body).toMatchObject({ formatted_activated_at: '19 mrt 2026, 04:04' });
  const nowhere = as('wdc', { locale: 'not a locale', time_zone: 'Mars/Olympus' });
  expect((await nowhere.get(`${path}/1`).expect(200)).body).toMatchObject({
    formatted_activated_at: 'Mar 18, 2026, 7:04 PM',
  });
});

test('both endpoints also answer without the version segment and with a trailing slash', async () => {
  const { as, path } = await startWithVersions();
  const plain = path.replace('/v1', '');
  for (const variant of [`${path}/`, plain, `${plain}/`]) expect(listIn(await as('wdc').get(variant))).toHaveLength(3);
  for (const variant of [`${path}/1/`, `${plain}/1`]) await as('wdc').get(variant).expect(200);
});

test.each([
  ['id', [1, 2, 3]],
  ['-id', [3, 2, 1]],
  ['-version_nr', [3, 2, 1]],
  ['status', [2, 1, 3]],
  ['-status', [3, 1, 2]],
  ['created_at,-id', [2, 1, 3]],
  ['-updated_at', [3, 2, 1]],
])('sort=%s', async (sort, ids) => {
  const { as, path } = await startWithVersions();
  const found = listIn(await as('wdc').get(`${path}?sort=${sort}`).expect(200));
  expect(found.map(({ id }) => id)).toEqual(ids);
});

test('fields chooses the fields; those of a single version are not in a collection', async () => {
  const { as, path } = await startWithVersions();
  expect(listIn(await as('wdc').get(`${path}?fields=version_nr,css`))[0]).toEqual({
    id: 1,
    version_nr: 1,
    css: '$c: #123; .title { color: $c; }',
  });
  const everything = listIn(await as('wdc').get(`${path}?fields=*`))[0];
  expect(everything).toMatchObject({
    html,
    phrases: expect.any(Array) as unknown,
    view_audit_path: expect.any(String) as unknown,
  });
  expect(everything).not.toHaveProperty('compiled_css');
  await as('wdc').get(`${path}?fields=compiled_css`).expect(400, { message: 'Unknown fields: compiled_css' });
  await as('wdc').get(`${path}/1?fields=compiled_css,nope`).expect(400, { message: 'Unknown fields: nope' });
});

test.each([
  ['sort=name', 'Sorting not allowed on fields: name'],
  ['sort=-css,id', 'Sorting not allowed on fields: css'],
  ['fields=id,colour', 'Unknown fields: colour'],
  ['per_page=101', 'per_page must be an integer from 1 to 100'],
  ['sort[0]=id', 'Parameter sort[0] must be a plain value'],
  ['sort=id&sort=status', 'Parameter sort is given more than once'],
  ['css=x', 'Filtering not allowed on fields: css'],
  ['version_nr=one', 'version_nr must be an integer, not one'],
  ['created_at=yesterday', 'created_at must be a time, not yesterday'],
])('?%s is refused', async (query, message) => {
  const { as, path } = await startWithVersions();
  await as('wdc').get(`${path}?${query}`).expect(400, { message });
});

test.each([
  ['status=active', [2]],
  ['status=!archived', [2, 3]],
  ['status=active,archived&sort=-id', [2, 1]],
  ['version_nr=>=2', [2, 3]],
  ['activated_at=', [3]],
  ['archived_at=!', [1]],
  ['created_at=<2026-04-01', [1, 2]],
  ['created_at=>2026-03-01<2026-03-31&status=active', [2]],
])('?%s narrows the collection and its count', async (query, ids) => {
  const { as, path } = await startWithVersions();
  const answer = await as('wdc').get(`${path}?${query}`).expect(200);
  expect(listIn(answer).map(({ id }) => id)).toEqual(ids);
  expect(answer.headers['x-pagination-total-entries']).toBe(String(ids.length));
});

test('pages reach archived and current versions alike', async () => {
  const { as, path, id } = await startWithVersions();
  const client = as('wdc');
  for (let count = 0; count < 8; count += 1) await client.patch(`/v1/ui_extensions/${id}`).send({ activate: true });
  for (const query of ['sort=id', 'sort=-status', 'sort=-version_nr', 'sort=id&page=1', 'sort=-id&page=1']) {
    const found: unknown[] = [];
    let next: string | undefined = `${path}?per_page=2&${query}`;
    while (next !== undefined) {
      const answer: Answer = await client.get(next).expect(200);
      expect(answer.headers).toMatchObject({ 'x-pagination-total-entries': '11', 'x-pagination-total-pages': '6' });
      found.push(...listIn(answer).map((version) => version['version_nr']));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
    }
    const whole = listIn(await client.get(`${path}?per_page=100&${query}`)).map((version) => version['version_nr']);
    expect(found).toEqual(whole);
    expect(new Set(found).size).toBe(11);
  }
});

test('an unchanged version is a 304', async () => {
  const { as, path, id } = await startWithVersions();
  const { headers } = await as('wdc').get(`${path}/3`).expect(200);
  const again = () =>
    as('wdc')
      .get(`${path}/3`)
      .set('If-None-Match', headers['etag'] ?? '');
  await again().expect(304);
  await as('wdc').patch(`/v1/ui_extensions/${id}`).send({ css: '' }).expect(200);
  await again().expect(200);
});

test('node ids are accepted as ids; malformed, unknown and mismatched ones are Not Found', async () => {
  const { as, id, path } = await startWithVersions();
  const node = (type: string, number: number) => Buffer.from(`service.example/${type}/${number}`).toString('base64url');
  await as('wdc')
    .get(`/v1/ui_extensions/${node('UiExtension', id)}/versions/${node('UiExtensionVersion', 2)}`)
    .expect(200);
  const other = await as('wdc').post('/v1/ui_extensions').send({ name: 'Other' });
  const wrong = ['99', '0', '-1', '1.5', '1e1', 'x', '%24gt', '99999999999999999999', node('UiExtension', 2)];
  for (const version of wrong) await as('wdc').get(`${path}/${version}`).expect(404, { message: 'Not Found' });
  await as('wdc')
    .get(`/v1/ui_extensions/${idIn(other)}/versions/1`)
    .expect(404, { message: 'Not Found' });
  await as('wdc').get('/v1/ui_extensions/x/versions').expect(404, { message: 'Not Found' });
});

test('versions are not written through their own endpoints', async () => {
  const { as, path } = await startWithVersions();
  await as('wdc').post(path).send({}).expect(405, { message: 'Method Not Allowed' });
  await as('wdc').delete(`${path}/1`).expect(405).expect('Allow', 'GET');
});

test('another account finds nothing, and a token without the scope is refused', async () => {
  const { as, path } = await startWithVersions();
  await as('acme').get(path).expect(404, { message: 'Not Found' });
  await as('acme').get(`${path}/1`).expect(404, { message: 'Not Found' });
  await as('wdc', { scopes: [{ effect: 'allow', actions: ['request:*'] }] })
    .get(path)
    .expect(403);
  const reader = {
    accounts: { wdc: ['end_user' as const] },
    scopes: [{ effect: 'allow' as const, actions: ['ui-extension:Read'] }],
  };
  await as('wdc', reader).get(`${path}/1`).expect(200);
});
