import { waitUntil } from '@itsm/shared/testing/wait-until';
import { formTokenIn, openBrowser, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { callGraph, nodeId } from '../testing/graphql';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

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
  const application = await seedApplication(auth, person.accountId);
  return { person, application, browser: await openSignedIn(auth, person) };
}

const pageOf = (id: number) => `/oauth/administration/applications/${id}`;

async function create(browser: Browser, id: number, name: string) {
  const form_token = formTokenIn(await browser.get(pageOf(id)));
  return browser
    .post(`${pageOf(id)}/tokens`)
    .type('form')
    .send({ form_token, name });
}

interface Token {
  readonly clientId: string;
  readonly name: string | null;
  readonly lastUsedAt: Date | null;
}
const tokensOf = async (accountId: string) =>
  (await auth.connection.collection<{ tokens: Token[] }>('applications').findOne({ accountId }))?.tokens ?? [];

test('a client token has its given name, on its page and in GraphQL', async () => {
  const { person, application, browser } = await seed();
  const made = await create(browser, application.id, '  Billing <b> ');
  expect(made.status).toBe(201);
  expect(made.text).toContain('<h3>Billing &lt;b&gt;</h3>');
  const id = nodeId('OAuthApplication', application.id);
  const created = await callGraph(
    auth,
    person,
    'mutation ($id: ID!) { oauthApplicationTokenCreate(input: { applicationId: $id, name: "Nightly" }) { oauthApplicationToken { name lastUsedAt } errors { message } } }',
    { id },
  );
  expect(created.data?.['oauthApplicationTokenCreate']).toEqual({
    oauthApplicationToken: { name: 'Nightly', lastUsedAt: null },
    errors: [],
  });
  expect((await tokensOf(person.accountId)).map(({ name }) => name)).toEqual([null, 'Billing <b>', 'Nightly']);
});

test('a name that is too long is refused, and the typed text is shown again', async () => {
  const { person, application, browser } = await seed();
  const refused = await create(browser, application.id, 'x'.repeat(81));
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('Name is too long');
  expect(refused.text).toContain(`value="${'x'.repeat(81)}"`);
  expect(await tokensOf(person.accountId)).toHaveLength(1);
  const stranger = await openSignedIn(auth, await seedPerson(auth));
  await stranger.get(pageOf(application.id)).expect(404);
  await openBrowser(auth).get(pageOf(application.id)).expect(303);
});

test('the last use is recorded at most once a minute, and not for a failed attempt', async () => {
  const { person, application, browser } = await seed();
  const { clientId: client_id, clientSecret: client_secret } = application;
  const use = (secret: string) =>
    auth.http.post('/oauth/revoke').type('form').send({ client_id, client_secret: secret, token: 'itsm_at_x' });
  const lastUse = async () => (await tokensOf(person.accountId))[0]?.lastUsedAt?.getTime();
  expect((await browser.get(pageOf(application.id))).text).toContain('not used yet');
  await use(`${client_secret}x`);
  expect(await lastUse()).toBeUndefined();
  await use(client_secret).expect(200);
  const first = await waitUntil('the first use', lastUse);
  for (const seconds of [10, 30, 59]) {
    auth.clock.offset = seconds * 1_000;
    await use(client_secret).expect(200);
  }
  expect(await lastUse()).toBe(first);
  auth.clock.offset = 60_000;
  await use(client_secret).expect(200);
  await waitUntil('a later use', async () => ((await lastUse()) ?? 0) > first);
  expect((await browser.get(pageOf(application.id))).text).toMatch(/Created <time[^>]*>[^<]+<\/time> · last used /);
});
