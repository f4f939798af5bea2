import { waitUntil } from '@itsm/shared/testing/wait-until';
import { formTokenIn, locationOf, openBrowser, openSignedIn } from '../testing/browser';
import { bodyIn, introspect } from '../testing/client';
import { postFrom } from '../testing/factors';
import type { Auth } from '../testing/start-auth';
import { everything, seedPerson, startStore } from '../testing/start-auth';
import { mostTokens } from './personal-access-token.service';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

async function seed() {
  const person = await seedPerson(auth);
  const expiresAt = new Date(auth.now().getTime() + 86_400_000);
  const input = { personId: person.id, name: 'Script', scopes: everything, expiresAt };
  return { person, ...(await auth.app.operator.createPersonalAccessToken(input)) };
}

const stored = () =>
  auth.connection.collection<{ personId: number; lastUsedAt: Date | null }>('personal_access_tokens');
const lastUseOf = async (personId: number) => (await stored().findOne({ personId }))?.lastUsedAt?.getTime();

test('the last use is recorded at most once a minute', async () => {
  const { person, token } = await seed();
  expect(await lastUseOf(person.id)).toBeUndefined();
  await introspect(auth, token);
  const first = await waitUntil('the first use', () => lastUseOf(person.id));
  for (auth.clock.offset = 0; auth.clock.offset < 50_000; auth.clock.offset += 10_000) await introspect(auth, token);
  expect(await lastUseOf(person.id)).toBe(first);
  auth.clock.offset = 61_000;
  await introspect(auth, token);
  await waitUntil('a later use', async () => ((await lastUseOf(person.id)) ?? 0) > first);
});

test('a personal access token expires for good', async () => {
  const { token } = await seed();
  auth.clock.offset = 86_400_000 - 1_000;
  expect(await introspect(auth, token)).toMatchObject({ active: true });
  auth.clock.offset = 86_400_000;
  expect(await introspect(auth, token)).toEqual({ active: false });
});

test('a personal access token cannot make another one', async () => {
  const { person, token } = await seed();
  const fields = { name: 'More', days: '30', action: '*:Read' };
  const owner = await openSignedIn(auth, person);
  const form_token = formTokenIn(await owner.get('/oauth/profile'));
  for (const form of [fields, { ...fields, form_token }]) {
    const response = await openBrowser(auth)
      .post('/oauth/profile/personal-access-tokens')
      .set('Authorization', `Bearer ${token}`)
      .type('form')
      .send(form);
    expect([303, 400, 403]).toContain(response.status);
    if (response.status === 303) expect(locationOf(response)).toContain('/oauth/sign-in');
  }
  expect(await stored().countDocuments({ personId: person.id })).toBe(1);
  const sdl = (await auth.http.get('/graphql').expect(200)).text;
  expect(sdl).not.toMatch(/personalAccessToken\w*Create/i);
  const body = bodyIn(
    await auth.http
      .post('/oauth/token')
      .set('Authorization', `Bearer ${token}`)
      .type('form')
      .send({ grant_type: 'client_credentials' })
      .expect(401),
  );
  expect(body).toMatchObject({ error: 'invalid_client' });
});

test('a person has a hundred at most: all of them are on one page', async () => {
  const { person } = await seed();
  const expiresAt = new Date(auth.now().getTime() + 86_400_000);
  const input = { personId: person.id, scopes: everything, expiresAt };
  for (let n = 2; n < mostTokens; n += 1)
    await auth.app.operator.createPersonalAccessToken({ ...input, name: `Script ${n}` });
  const browser = await openSignedIn(auth, person);
  const create = (name: string) =>
    postFrom(browser, '/oauth/profile', '/oauth/profile/personal-access-tokens', { name, action: 'me:Name' });
  expect((await create('The last one')).status).toBe(201);
  const refused = await create('One more');
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('100 tokens already') as string]);
  expect(await stored().countDocuments({ personId: person.id })).toBe(mostTokens);
  // The operator puts a new one in the place of another.
  await auth.app.operator.createPersonalAccessToken({ ...input, name: 'Script 2' });
});
