import { bodyIn, idIn, listIn, startStore } from '../testing/start-service';
import { extensionResource } from './extension.routes';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const path = '/v1/ui_extensions';

test('creating answers 201 with the location and a first version that is being prepared', async () => {
  const { as } = await store.start();
  const created = await as('wdc').post(path).send({ name: 'Laptop order', html: '<p>Hi</p>' }).expect(201);
  expect(created.headers['location']).toBe('https://api.example/v1/ui_extensions/1');
  expect(Object.keys(bodyIn(created) as object).sort()).toEqual(Object.keys(extensionResource.fields).sort());
  expect(bodyIn(created)).toMatchObject({
    id: 1,
    nodeID: Buffer.from('service.example/UiExtension/1').toString('base64url'),
    name: 'Laptop order',
    title: null,
    category: null,
    description: null,
    disabled: false,
    active_version: null,
    prepared_version: { id: 1, name: 'Laptop order', version_nr: 1 },
    css: null,
    html: null,
    javascript: null,
    form_definition: null,
    dark_mode_safe: null,
    source: null,
    sourceID: null,
    created_at: '2026-03-18T19:04:06Z',
    updated_at: '2026-03-18T19:04:06Z',
  });
  const versions = listIn(await as('wdc').get(`${path}/1/versions?fields=version_nr,status,html`));
  expect(versions).toEqual([{ id: 1, version_nr: 1, status: 'being_prepared', html: '<p>Hi</p>' }]);
});

test('texts are accepted for booleans and null, and stay texts in text members', async () => {
  const { as } = await store.start();
  const written = { name: '5', title: '', category: '7', disabled: 'true', css: '', javascript: 'true' };
  const truths = { dark_mode_safe: 'true', activate: 'true' };
  const given = { ...written, ...truths };
  expect(bodyIn(await as('wdc').post(path).send(given).expect(201))).toMatchObject({
    name: '5',
    title: null,
    category: '7',
    disabled: true,
    css: null,
    javascript: 'true',
    dark_mode_safe: true,
    active_version: { version_nr: 1 },
  });
  const { body } = await as('wdc').patch(`${path}/1`).send({ name: '', disabled: 'no', activate: '' }).expect(422);
  expect(body).toEqual({
    message: 'Validation Failed',
    errors: [
      ['name', 'Name is required'],
      ['disabled', 'Disabled is not true or false'],
      ['activate', 'Activate is not true or false'],
    ],
  });
});

test('edits go to the prepared version and are read once it is active', async () => {
  const { as, clock } = await store.start();
  const client = as('wdc');
  await client.post(path).send({ name: 'A', html: 'one', activate: true }).expect(201);
  clock.time = new Date('2026-03-19T00:00:00Z');
  const edit = await client.patch(`${path}/1`).send({ html: 'two', dark_mode_safe: true }).expect(200);
  expect(edit.body).toMatchObject({ html: 'one', dark_mode_safe: false });
  expect(listIn(await client.get(`${path}/1/versions?fields=html,status,updated_at`))).toEqual([
    { id: 1, status: 'active', updated_at: '2026-03-18T19:04:06Z', html: 'one' },
    { id: 2, status: 'being_prepared', updated_at: '2026-03-19T00:00:00Z', html: 'two' },
  ]);
  const body = bodyIn(await client.patch(`${path}/1`).send({ activate: true }).expect(200));
  expect(body).toMatchObject({ html: 'two', dark_mode_safe: true, active_version: { version_nr: 2 } });
  expect((await client.get(`${path}/1`)).body).toEqual(body);
});

test('extensions are listed within their account, with pages and chosen fields', async () => {
  const { as } = await store.start();
  for (const name of ['A', 'B', 'C']) await as('wdc').post(path).send({ name, html: 'x', activate: true }).expect(201);
  const page = await as('wdc').get(`${path}?per_page=2&sort=-name&fields=name,html`).expect(200);
  expect(bodyIn(page)).toEqual([
    { id: 3, name: 'C', html: 'x' },
    { id: 2, name: 'B', html: 'x' },
  ]);
  expect(page.headers['x-pagination-total-entries']).toBe('3');
  expect(page.headers['link']).toContain('rel="next"');
  expect((await as('wdc').get(path)).body).toHaveLength(3);
  expect((await as('acme').get(path).expect(200)).body).toEqual([]);
});

test("another account's extension is Not Found, also to write", async () => {
  const { as } = await store.start();
  await as('wdc').post(path).send({ name: 'A' }).expect(201);
  await as('acme').get(`${path}/1`).expect(404, { message: 'Not Found' });
  await as('acme').patch(`${path}/1`).send({ activate: true }).expect(404, { message: 'Not Found' });
  expect(listIn(await as('wdc').get(`${path}/1/versions`))).toHaveLength(1);
});

test('only an account administrator with the scope writes', async () => {
  const { as } = await store.start();
  const specialist = as('wdc', { accounts: { wdc: ['specialist'] } });
  await specialist.post(path).send({ name: 'A' }).expect(403, { message: 'Forbidden' });
  await as('wdc').post(path).send({ name: 'A' }).expect(201);
  await specialist.patch(`${path}/1`).send({ name: 'B' }).expect(403);
  const reader = as('wdc', { scopes: [{ effect: 'allow', actions: ['ui-extension:Read'] }] });
  await reader.post(path).send({ name: 'A' }).expect(403);
  await reader.patch(`${path}/1`).send({ name: 'B' }).expect(403);
  await reader.get(`${path}/1`).expect(200);
});

test('without a good token or account nothing is answered', async () => {
  const { anonymous, as } = await store.start();
  await anonymous.get(path).expect(401, { message: 'Unauthorized' });
  await anonymous.get(path).set('Authorization', 'Bearer nonsense').expect(401, { message: 'Unauthorized' });
  await as('wdc').get(path).set('X-Service-Account', '').expect(400, { message: 'Missing X-Service-Account header' });
  await as('wdc').get(path).set('X-Service-Account', 'acme').expect(403);
});

test.each(['css', 'html', 'javascript', 'form_definition'])(
  '%s has room for 65,536 bytes of UTF-8, not one more',
  async (field) => {
    const { as } = await store.start();
    const around: Record<string, [string, string]> = { css: ['/*', '*/'], form_definition: ['{"a":"', '"}'] };
    const [start, end] = around[field] ?? ['', ''];
    const textOf = (bytes: number): string => {
      const room = bytes - start.length - end.length;
      return start + 'é'.repeat(Math.floor(room / 2)) + 'e'.repeat(room % 2) + end;
    };
    await as('wdc')
      .post(path)
      .send({ name: 'A', [field]: textOf(65_536) })
      .expect(201);
    const body = bodyIn(
      await as('wdc')
        .post(path)
        .send({ name: 'A', [field]: textOf(65_537) })
        .expect(422),
    );
    expect(body).toEqual({
      message: 'Validation Failed',
      errors: [[field, expect.stringContaining('is longer than 64 KB (65,536 bytes of UTF-8)')]],
    });
  },
);

test.each([
  [{}, 'name', 'Name is required'],
  [{ name: ' ' }, 'name', 'Name is required'],
  [{ name: 5 }, 'name', 'Name is not a text'],
  [{ name: 'x'.repeat(129) }, 'name', 'Name is too long (at most 128 characters)'],
  [{ name: 'A', colour: 'red' }, 'colour', 'Unknown member'],
  [{ name: 'A', id: 7 }, 'id', 'Unknown member'],
  [{ name: 'A', disabled: null }, 'disabled', 'Disabled is not true or false'],
  [{ name: 'A', html: ['x'] }, 'html', 'HTML is not a text'],
  [{ name: 'A', html: { $gt: '' } }, 'html', 'HTML is not a text'],
  [{ name: 'A', activate: 'yes' }, 'activate', 'Activate is not true or false'],
  [{ name: 'A', form_definition: '[]' }, 'form_definition', 'Form definition must be a JSON object'],
  [{ name: 'A', form_definition: '{"a"' }, 'form_definition', 'Form definition must be a JSON object'],
  [
    { name: 'A', form_definition: '{"sections":[{"name":"a\\u0000"}]}' },
    'form_definition',
    'Form definition is not valid: `sections.0.name` has the control character U+0000 at position 1',
  ],
  [
    { name: 'A', form_definition: '{"\\ud800":1}' },
    'form_definition',
    'Form definition is not valid: A name in the body has the unpaired surrogate U+D800 at position 0',
  ],
])('%j is refused with the field and the reason', async (input, field, text) => {
  const { as } = await store.start();
  await as('wdc')
    .post(path)
    .send(input)
    .expect(422, { message: 'Validation Failed', errors: [[field, text]] });
  expect((await as('wdc').get(path)).body).toEqual([]);
});

test('a stylesheet that does not compile is refused with the line and the column, and nothing is written', async () => {
  const { as } = await store.start();
  await as('wdc').post(path).send({ name: 'A' }).expect(201);
  const refusal = async (css: string): Promise<unknown> =>
    (await as('wdc').patch(`${path}/1`).send({ name: 'B', css }).expect(422)).body;
  const refused = (text: string) => ({
    message: 'Validation Failed',
    errors: [['css', expect.stringContaining(text)]],
  });
  expect(await refusal('.a {\n  color: red;\n  }}')).toEqual(refused('line 3, column 4'));
  expect(await refusal('.a { color: $missing }')).toEqual(refused('Undefined variable. (line 1, column 13)'));
  for (const css of [
    '@use "x";',
    '@use "file:///etc/passwd";',
    '@import "https://example.com/a.css";',
    '@import url(a.css);',
  ])
    expect(await refusal(`.a{}\n${css}`)).toEqual(refused('line 2, column'));
  expect((await as('wdc').get(`${path}/1`)).body).toMatchObject({ name: 'A' });
});

test('a form definition becomes a React component and marks the version as designed', async () => {
  const { as } = await store.start();
  const form = {
    sections: [{ name: 'Laptop', fields: [{ id: 'model', type: 'text', label: '</form>{x}', required: true }] }],
  };
  await as('wdc')
    .post(path)
    .send({ name: 'A', form_definition: JSON.stringify(form) })
    .expect(201);
  const body = bodyIn(await as('wdc').get(`${path}/1/versions/1?fields=form_definition_react,use_designer`));
  expect(body).toMatchObject({
    use_designer: true,
    form_definition_react: expect.stringContaining('const sections=[["Laptop",[["model",') as unknown,
  });
  await as('wdc').patch(`${path}/1`).send({ html: 'by hand' }).expect(200);
  expect((await as('wdc').get(`${path}/1/versions/1`)).body).toMatchObject({ use_designer: false });
});

test('bodies that are not one JSON object are refused as documented', async () => {
  const { as, errors } = await store.start();
  const post = (type: string, body: string) => as('wdc').post(path).set('Content-Type', type).send(body);
  await post('application/json', '{"name":').expect(400, { message: 'Invalid JSON' });
  await post('application/json', '[{"name":"A"}]').expect(400, { message: 'Invalid JSON' });
  await post('text/plain', '{"name":"A"}').expect(415);
  await post('application/x-www-form-urlencoded', 'name=A').expect(415);
  await post('application/json', JSON.stringify({ name: 'A', html: 'x'.repeat(3_000_000) })).expect(413);
  await as('wdc').delete(`${path}/1`).expect(405);
  await as('wdc').get(`${path}/%E0%A4%A`).expect(400);
  expect(errors).toEqual([]);
});

test('after two hundred concurrent activations and edits, numbers have no gaps, and one version is active and one prepared', async () => {
  const { as } = await store.start();
  const client = as('wdc');
  const id = idIn(await client.post(path).send({ name: 'A' }).expect(201));
  const activations = Array.from({ length: 99 }, () => client.patch(`${path}/${id}`).send({ activate: true }));
  const edits = Array.from({ length: 101 }, (_, index) => client.patch(`${path}/${id}`).send({ html: `${index}` }));
  for (const { status } of await Promise.all([...activations, ...edits])) expect(status).toBe(200);
  const versions = listIn(await client.get(`${path}/${id}/versions?per_page=100`));
  expect(versions.map((version) => version['version_nr'])).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
  const having = (status: string) => versions.filter((version) => version['status'] === status);
  expect([having('active').length, having('being_prepared').length, having('archived').length]).toEqual([1, 1, 98]);
  for (const [index, version] of versions.slice(0, 98).entries())
    expect(version['archived_at']).toBe(versions[index + 1]?.['activated_at']);
  const actions: unknown[] = [];
  let next: string | undefined = `${path}/${id}/audit?per_page=100&fields=action,version,changed_fields`;
  while (next !== undefined) {
    const answer: { body: unknown; headers: Readonly<Record<string, string>> } = await client.get(next).expect(200);
    for (const { action, version, changed_fields } of listIn(answer))
      if (version !== null && (changed_fields as string[])[0] === 'html') actions.push('html');
      else if (version !== null) actions.push(action);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
  }
  const count = (action: string) => actions.filter((each) => each === action).length;
  expect([count('activated'), count('archived')]).toEqual([99, 98]);
  // One line for every new version that starts with a text; the others are from the edits.
  expect(count('html') + count('created')).toBe(100 + 101);
});

test('replicas can activate the same extension concurrently', async () => {
  const first = await store.start();
  const replicas = [first, await store.start(first.database), await store.start(first.database)];
  const id = idIn(await first.as('wdc').post(path).send({ name: 'A' }).expect(201));
  const activations = replicas.flatMap(({ as }) =>
    Array.from({ length: 8 }, () => as('wdc').patch(`${path}/${id}`).send({ activate: true })),
  );
  for (const { status } of await Promise.all(activations)) expect(status).toBe(200);
  const versions = listIn(await first.as('wdc').get(`${path}/${id}/versions?per_page=100`));
  expect(versions.map((version) => version['version_nr'])).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  expect(versions.slice(-2).map(({ status }) => status)).toEqual(['active', 'being_prepared']);
  expect(new Set(versions.slice(0, -2).map(({ status }) => status))).toEqual(new Set(['archived']));
});

test('source and sourceID belong to one extension of an account', async () => {
  const { as } = await store.start();
  const keys = { source: 'import', sourceID: '7' };
  await as('wdc')
    .post(path)
    .send({ name: 'A', ...keys })
    .expect(201);
  await as('acme')
    .post(path)
    .send({ name: 'A', ...keys })
    .expect(201);
  const body = bodyIn(
    await as('wdc')
      .post(path)
      .send({ name: 'B', ...keys })
      .expect(422),
  );
  expect(body).toMatchObject({ errors: [['sourceID', 'Source ID is already in use']] });
});

test('seeding an extension is idempotent', async () => {
  const { app, as } = await store.start();
  const seeded = {
    source: 'demo',
    sourceID: '1',
    name: 'A',
    title: 'A',
    category: 'x',
    activations: [{}, { html: '2' }],
  };
  const first = await app.seed.ensureExtension('wdc', seeded);
  expect(await app.seed.ensureExtension('wdc', seeded)).toEqual(first);
  const versions = listIn(await as('wdc').get(`${path}/${first.id}/versions`));
  expect(versions.map(({ status }) => status)).toEqual(['archived', 'active', 'being_prepared']);
});
