import { bodyIn, listIn, startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const path = '/v1/ui_extensions';
const html = '<h1 title="Order">Order a laptop</h1><p>Model</p>';
const dutch = { Order: 'Bestel', 'Order a laptop': 'Bestel een laptop' };

/** Starts a service with an extension that has Dutch translations of two of its three phrases. */
async function startWithTranslations() {
  const service = await store.start();
  const client = service.as('wdc');
  await client.post(path).send({ name: 'Laptop order', html }).expect(201);
  const answer = await client.put(`${path}/1/translations/nl`).send({ translations: dutch }).expect(200);
  return { ...service, client, answer };
}

const inDutch = '<h1 title="Bestel">Bestel een laptop</h1><p>Model</p>';

test('the translations of a locale are set, read, replaced and removed', async () => {
  const { client, answer } = await startWithTranslations();
  const nl = { locale: 'nl', translations: dutch, missing: ['Model'] };
  expect(bodyIn(answer)).toEqual(nl);
  expect(bodyIn(await client.get(`${path}/1/translations`).expect(200))).toEqual([nl]);
  expect(bodyIn(await client.get(`${path}/1/translations/NL`).expect(200))).toEqual(nl);
  const less = { locale: 'nl', translations: { Model: 'Model' }, missing: ['Order', 'Order a laptop'] };
  expect(bodyIn(await client.put(`${path}/1/translations/nl`).send({ translations: less.translations }))).toEqual(less);
  await client.delete(`${path}/1/translations/nl`).expect(204);
  await client.delete(`${path}/1/translations/nl`).expect(404, { message: 'Not Found' });
  expect(bodyIn(await client.get(`${path}/1/translations`))).toEqual([]);
});

test.each([
  [{ 'X-Service-Language': 'nl' }, inDutch],
  [{ 'Accept-Language': 'fr;q=0.9, nl-BE' }, inDutch],
  [{ 'Accept-Language': 'nl;q=0.1, en;q=0.5' }, html],
  [{ 'X-Service-Language': 'en', 'Accept-Language': 'nl' }, html],
  [{ 'Accept-Language': 'nl;q=0' }, html],
  [{ 'Accept-Language': '*' }, html],
  [{ 'Accept-Language': `${'x,'.repeat(3_000)}nl` }, html],
  [{ 'X-Service-Language': 'not a locale' }, html],
])('with %j the HTML comes in the language that is preferred', async (headers, expected) => {
  const { client } = await startWithTranslations();
  const answer = await client.get(`${path}/1/versions/1?fields=localized_html`).set(headers).expect(200);
  expect(bodyIn(answer)).toEqual({ id: 1, localized_html: expected });
  expect(answer.headers['vary']).toContain('Accept-Language');
});

test("without a header the person's locale applies, for times too", async () => {
  const { as } = await startWithTranslations();
  await as('wdc').patch(`${path}/1`).send({ activate: true }).expect(200);
  const ask = as('wdc', { locale: 'nl-BE', time_zone: 'Europe/Brussels' }).get(`${path}/1/versions/1`);
  expect(bodyIn(await ask)).toMatchObject({ localized_html: inDutch, formatted_activated_at: '18 mrt 2026, 20:04' });
  const english = as('wdc', { locale: 'nl' }).get(`${path}/1/versions/1`).set('X-Service-Language', 'en-GB');
  expect(bodyIn(await english)).toMatchObject({ localized_html: html, formatted_activated_at: '18 Mar 2026, 19:04' });
});

test('GraphQL follows the same headers, and an argument before them', async () => {
  const { as } = await startWithTranslations();
  await as('wdc').patch(`${path}/1`).send({ activate: true }).expect(200);
  const ask = async (locale: string, headers: Record<string, string>): Promise<unknown> => {
    const fields = `localizedHtml${locale} formattedActivatedAt`;
    const query = `{ uiExtension(id: "1") { activeVersion { ${fields} } } }`;
    const answer = await as('wdc').post('/graphql').set(headers).send({ query }).expect(200);
    return (answer.body as { data: { uiExtension: { activeVersion: unknown } } }).data.uiExtension.activeVersion;
  };
  const english = { localizedHtml: html, formattedActivatedAt: 'Mar 18, 2026, 7:04 PM' };
  const inNl = { localizedHtml: inDutch, formattedActivatedAt: '18 mrt 2026, 19:04' };
  expect(await ask('', {})).toEqual(english);
  expect(await ask('', { 'Accept-Language': 'fr, nl;q=0.5' })).toMatchObject({ localizedHtml: inDutch });
  expect(await ask('', { 'Accept-Language': 'fr', 'X-Service-Language': 'nl' })).toEqual(inNl);
  expect(await ask('(locale: "en")', { 'X-Service-Language': 'nl' })).toMatchObject({ localizedHtml: html });
  expect(await ask('(locale: "nl")', { 'Accept-Language': 'en' })).toMatchObject({ localizedHtml: inDutch });
  expect(await ask('(locale: "x x")', { 'Accept-Language': 'not a locale' })).toEqual(english);
});

test('translations belong to the version: an active one does not change with the next', async () => {
  const { client, clock } = await startWithTranslations();
  await client.patch(`${path}/1`).send({ activate: true }).expect(200);
  clock.time = new Date('2026-03-19T00:00:00Z');
  await client
    .put(`${path}/1/translations/nl`)
    .send({ translations: { Model: 'Type' } })
    .expect(200);
  const dutchOf = async (id: number) =>
    bodyIn(await client.get(`${path}/1/versions/${id}`).set('X-Service-Language', 'nl'));
  expect(await dutchOf(1)).toMatchObject({ localized_html: inDutch, updated_at: '2026-03-18T19:04:06Z' });
  expect(await dutchOf(2)).toMatchObject({
    localized_html: '<h1 title="Order">Order a laptop</h1><p>Type</p>',
    updated_at: '2026-03-19T00:00:00Z',
  });
  const lines = listIn(await client.get(`${path}/1/versions/2/audit`));
  expect(lines.at(-1)).toMatchObject({ action: 'updated', changed_fields: ['translations.nl'] });
});

test('translations outlive an edit of the HTML', async () => {
  const { client } = await startWithTranslations();
  await client.patch(`${path}/1`).send({ html: '<p>Order a laptop<p>New' }).expect(200);
  const answer = await client.get(`${path}/1/versions/1?fields=localized_html`).set('X-Service-Language', 'nl');
  expect(answer.body).toMatchObject({ localized_html: '<p>Bestel een laptop<p>New' });
  expect(bodyIn(await client.get(`${path}/1/translations/nl`))).toMatchObject({ missing: ['New'] });
});

test.each([
  [{}, 'translations', 'Translations must be an object of phrases and their translations'],
  [{ translations: ['Order'] }, 'translations', 'Translations must be an object of phrases and their translations'],
  [{ translations: { Order: 5 } }, 'translations', 'Translations of "Order" must be a text'],
  [{ translations: { Order: ' ' } }, 'translations', 'Translations of "Order" must be a text'],
  [{ translations: { Nothing: 'Niets' } }, 'translations', 'Translations of nl: there is no phrase "Nothing"'],
  [{ translations: {}, colour: 'red' }, 'colour', 'Unknown member'],
])('%j is refused with the reason', async (body, field, text) => {
  const { client } = await startWithTranslations();
  const refusal = { message: 'Validation Failed', errors: [[field, text]] };
  await client.put(`${path}/1/translations/nl`).send(body).expect(422, refusal);
  expect(bodyIn(await client.get(`${path}/1/translations/nl`))).toMatchObject({ translations: dutch });
});

test('a phrase named like a member of Object.prototype is an ordinary phrase', async () => {
  const { as } = await store.start();
  const client = as('wdc');
  await client.post(path).send({ name: 'A', html: '<p>__proto__<p>constructor' }).expect(201);
  const body = '{"translations":{"__proto__":"Een","constructor":"Twee"}}';
  const put = client.put(`${path}/1/translations/nl`).set('Content-Type', 'application/json');
  expect((await put.send(body).expect(200)).text).toContain('"__proto__":"Een","constructor":"Twee"');
  const answer = await client.get(`${path}/1/versions/1?fields=localized_html`).set('X-Service-Language', 'nl');
  expect(answer.body).toMatchObject({ localized_html: '<p>Een<p>Twee' });
});

test('translations have room for 64 KB, the HTML made of them as well, and there are at most 20 locales', async () => {
  const { as } = await store.start();
  const client = as('wdc');
  await client.post(path).send({ name: 'A', html: '<p>A<p>A<p>B' }).expect(201);
  const put = (locale: string, translations: object) =>
    client.put(`${path}/1/translations/${locale}`).send({ translations });
  const errors = (answer: { body: unknown }) => (answer.body as { errors: unknown }).errors;
  // {"B":"…"} are eight bytes around the text.
  await put('nl', { B: 'é'.repeat(32_700) }).expect(200);
  expect(errors(await put('nl', { B: 'é'.repeat(32_765) }).expect(422))).toEqual([
    ['translations', 'Translations of nl are longer than 64 KB (65,536 bytes of UTF-8)'],
  ]);
  expect(errors(await put('nl', { A: 'x'.repeat(32_768) }).expect(422))).toEqual([
    ['translations', 'Translations make the HTML longer than 64 KB in nl'],
  ]);
  expect(errors(await client.patch(`${path}/1`).send({ html: '<p>B<p>B B<p>B' }).expect(422))).toEqual([
    ['html', 'Html is longer than 64 KB in nl'],
  ]);
  for (let index = 0; index < 19; index += 1) await put(`x${String.fromCharCode(97 + index)}`, {}).expect(200);
  expect(errors(await put('fr', {}).expect(422))).toEqual([
    ['translations', 'Translations can be in at most 20 locales'],
  ]);
});

test('edits of the HTML and of translations at once lose nothing', async () => {
  const { client } = await startWithTranslations();
  const locales = ['de', 'fr', 'es', 'it', 'pt', 'da'];
  await Promise.all([
    ...locales.map((locale) =>
      client
        .put(`${path}/1/translations/${locale}`)
        .send({ translations: { Model: locale } })
        .expect(200),
    ),
    ...locales.map((locale) =>
      client
        .patch(`${path}/1`)
        .send({ html: `${html}<!-- ${locale} -->` })
        .expect(200),
    ),
  ]);
  const all = listIn(await client.get(`${path}/1/translations`));
  expect(all.map(({ locale }) => locale)).toEqual([...locales, 'nl'].sort());
});

test('translations need the permission, in the own account, to read and to write', async () => {
  const { as, anonymous } = await startWithTranslations();
  const one = `${path}/1/translations/nl`;
  for (const address of [`${path}/1/translations`, one, `${path}/x/translations`, `${path}/1/translations/not%20one`])
    await as('acme').get(address).expect(404, { message: 'Not Found' });
  await as('acme').put(one).send({ translations: {} }).expect(404, { message: 'Not Found' });
  await as('acme').delete(one).expect(404);
  await anonymous.put(one).send({ translations: {} }).expect(401);
  const specialist = as('wdc', { accounts: { wdc: ['specialist'] } });
  await specialist.put(one).send({ translations: {} }).expect(403);
  await specialist.delete(one).expect(403);
  await specialist.get(one).expect(200);
  const reader = as('wdc', { scopes: [{ effect: 'allow', actions: ['ui-extension:Read'] }] });
  await reader.put(one).send({ translations: {} }).expect(403);
  await as('wdc').put(one).set('Content-Type', 'text/plain').send('{}').expect(415);
  await as('wdc').put(one).set('Content-Type', 'application/json').send('{').expect(400, { message: 'Invalid JSON' });
  await as('wdc').post(one).send({}).expect(405).expect('Allow', 'GET, PUT, DELETE');
});
