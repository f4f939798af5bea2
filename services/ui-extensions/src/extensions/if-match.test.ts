import { bodyIn, startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const path = '/v1/ui_extensions';
const refused = { message: 'Precondition Failed' };

/** Starts a service with an extension and its Dutch translation. */
async function start() {
  const service = await store.start();
  const client = service.as('wdc');
  await client.post(path).send({ name: 'Laptop order', html: '<p>Model</p>' }).expect(201);
  await client
    .put(`${path}/1/translations/nl`)
    .send({ translations: { Model: 'Type' } })
    .expect(200);
  const tag = async (place: string): Promise<string> =>
    (await client.get(path + place).expect(200)).headers['etag'] ?? '';
  return { ...service, client, tag };
}

test.each([
  ['the tag', (tag: string) => tag],
  ['the tag made strong', (tag: string) => tag.replace('W/', '')],
  ['a list with the tag', (tag: string) => `"a,b", ${tag}`],
  ['*', () => '*'],
])('a write with %s is done', async (_what, expected) => {
  const { client, tag } = await start();
  await client
    .get(`${path}/1`)
    .set('If-Match', expected(await tag('/1')))
    .expect(200);
  await client
    .patch(`${path}/1`)
    .set('If-Match', expected(await tag('/1')))
    .send({ title: 'T' })
    .expect(200);
  const translation = '/1/translations/nl';
  await client
    .put(path + translation)
    .set('If-Match', expected(await tag(translation)))
    .send({ translations: { Model: 'Soort' } })
    .expect(200);
  await client
    .delete(path + translation)
    .set('If-Match', expected(await tag(translation)))
    .expect(204);
});

test.each(['W/"1-other"', '"a", "b"', ''])('with %j nothing is done: 412', async (expected) => {
  const { client, tag } = await start();
  for (const place of ['/1', '/1/translations/nl']) {
    const before = await tag(place);
    await client
      .get(path + place)
      .set('If-Match', expected)
      .expect(412, refused);
    const body = place === '/1' ? { title: 'T' } : { translations: { Model: 'Soort' } };
    await client[place === '/1' ? 'patch' : 'put'](path + place)
      .set('If-Match', expected)
      .send(body)
      .expect(412, refused);
    expect(await tag(place)).toBe(before);
  }
  await client.delete(`${path}/1/translations/nl`).set('If-Match', expected).expect(412, refused);
});

test('a translation that does not exist yet matches nothing', async () => {
  const { client } = await start();
  const put = () => client.put(`${path}/1/translations/fr`).send({ translations: { Model: 'Modèle' } });
  await put().set('If-Match', '*').expect(412, refused);
  expect(bodyIn(await client.get(`${path}/1/translations`))).toHaveLength(1);
  await put().expect(200);
});

test('a change that GET does not show, within the same second, changes the tag', async () => {
  const { client, tag } = await start();
  const before = await tag('/1');
  const answer = await client.patch(`${path}/1`).send({ html: '<p>Other</p>' }).expect(200);
  expect(bodyIn(answer)).toMatchObject({ html: null });
  await client.patch(`${path}/1`).set('If-Match', before).send({ html: '<p>Lost?</p>' }).expect(412, refused);
  await client
    .patch(`${path}/1`)
    .set('If-Match', answer.headers['etag'] ?? '')
    .send({ html: '<p>B</p>' })
    .expect(200);
});

test('of two changes at once with one tag one is refused', async () => {
  const { client, tag } = await start();
  const known = await tag('/1');
  const change = (title: string) => client.patch(`${path}/1`).set('If-Match', known).send({ title });
  const answers = await Promise.all([change('A'), change('B')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
});

test('what is refused anyway is refused as before', async () => {
  const { client } = await start();
  await client.patch(`${path}/1`).set('If-Match', '"a"').send({ name: 5 }).expect(422);
  await client.patch(`${path}/9`).set('If-Match', '*').send({}).expect(404);
});
