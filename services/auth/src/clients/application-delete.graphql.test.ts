import { authorizeQuery, obtainCode, openBrowser, openSignedIn } from '../testing/browser';
import { bodyIn, introspect, pairIn, redeem, refresh } from '../testing/client';
import { callGraph, nodeId } from '../testing/graphql';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const remove = (person: SeededPerson, id: string, as = {}) =>
  callGraph(
    auth,
    person,
    'mutation ($id: ID!) { oauthApplicationDelete(input: { id: $id, clientMutationId: "m" }) { deletedId errors { message } clientMutationId } }',
    { id },
    as,
  );

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = await openSignedIn(auth, person);
  const pair = pairIn(await redeem(auth, application, await obtainCode(browser, application)).expect(200));
  return { person, application, browser, pair, id: nodeId('OAuthApplication', application.id) };
}

const messagesOf = ({ errors = [] }: Awaited<ReturnType<typeof remove>>) => errors.map(({ message }) => message);

test('a deleted application is gone, with its clients and everything that it was granted', async () => {
  const { person, application, browser, pair, id } = await seed();
  expect(await remove(person, id)).toEqual({
    data: { oauthApplicationDelete: { deletedId: id, errors: [], clientMutationId: 'm' } },
  });
  expect(await introspect(auth, pair.access_token)).toEqual({ active: false });
  expect(bodyIn(await refresh(auth, application, pair.refresh_token).expect(400))).toMatchObject({
    error: 'invalid_client',
  });
  await openBrowser(auth).get('/oauth/authorize').query(authorizeQuery(application)).expect(400);
  const { data } = await callGraph(auth, person, '{ oauthApplications(first: 9) { totalCount } }');
  expect(data).toEqual({ oauthApplications: { totalCount: 0 } });
  expect((await browser.get('/oauth/profile').expect(200)).text).not.toContain('<h3>Demo application');
  const entries = auth.connection.collection('security_log');
  expect(await entries.countDocuments({ accountIds: person.accountId, event: 'application.deleted' })).toBe(1);
  expect(messagesOf(await remove(person, id))).toEqual(['Not Found']);
});

test('its name may be taken again, and the new application has nothing of the old one', async () => {
  const { person, pair, id } = await seed();
  await remove(person, id);
  await seedApplication(auth, person.accountId);
  expect(await introspect(auth, pair.access_token)).toEqual({ active: false });
});

test('of two concurrent deletions one succeeds', async () => {
  const { person, id } = await seed();
  const both = await Promise.all([remove(person, id), remove(person, id)]);
  expect(both.flatMap(messagesOf)).toEqual(['Not Found']);
});

test('only administrators of its own account with the scope delete it', async () => {
  const { person, pair, id } = await seed();
  const specialist = await seedPerson(auth, { accountId: person.accountId, roles: ['specialist'] });
  const stranger = await seedPerson(auth);
  const scopes = [{ effect: 'allow' as const, actions: ['oauth-application:Read', 'oauth-application:Update'] }];
  expect(messagesOf(await remove(specialist, id))).toEqual(['Forbidden']);
  expect(messagesOf(await remove(stranger, id))).toEqual(['Not Found']);
  expect(messagesOf(await remove(person, id, { scopes }))).toEqual([
    'Missing required scope(s): oauth-application:Delete',
  ]);
  for (const other of [nodeId('Person', person.id), 'x'.repeat(10_000), '', nodeId('OAuthApplication', 0)])
    expect(messagesOf(await remove(person, other))).toEqual(['Not Found']);
  expect((await introspect(auth, pair.access_token)).active).toBe(true);
});
