import { obtainCode, openSignedIn } from '../testing/browser';
import { introspect, pairIn, redeem, refresh } from '../testing/client';
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

interface Created {
  readonly oauthApplicationToken: { readonly id: string; readonly clientId: string } | null;
  readonly clientSecret: string | null;
  readonly errors: readonly object[];
}

const tokenIdOf = (clientId: string): string => nodeId('OAuthApplicationToken', clientId);

async function createToken(person: SeededPerson, applicationId: number): Promise<Created> {
  const text = `mutation ($id: ID!) { oauthApplicationTokenCreate(input: { applicationId: $id }) {
    oauthApplicationToken { id clientId disabled } clientSecret errors { message path } } }`;
  const { data } = await callGraph(auth, person, text, { id: nodeId('OAuthApplication', applicationId) });
  return data?.['oauthApplicationTokenCreate'] as Created;
}

const setDisabled = (person: SeededPerson, clientId: string, disabled: boolean) =>
  callGraph(
    auth,
    person,
    'mutation ($id: ID!, $disabled: Boolean!) { oauthApplicationTokenUpdate(input: { id: $id, disabled: $disabled }) { oauthApplicationToken { clientId disabled } errors { message } } }',
    { id: tokenIdOf(clientId), disabled },
  );

const remove = (person: SeededPerson, clientId: string) =>
  callGraph(
    auth,
    person,
    'mutation ($id: ID!) { oauthApplicationTokenDelete(input: { id: $id }) { oauthApplication { tokens { clientId } } errors { message } } }',
    { id: tokenIdOf(clientId) },
  );

/** Creates an application with two client tokens, and an access token from each. */
async function seed() {
  const person = await seedPerson(auth);
  const first = await seedApplication(auth, person.accountId);
  const created = await createToken(person, first.id);
  const second = {
    id: first.id,
    clientId: created.oauthApplicationToken?.clientId ?? '',
    clientSecret: created.clientSecret ?? '',
  };
  const browser = await openSignedIn(auth, person);
  const pairOf = async (client: typeof first) =>
    pairIn(await redeem(auth, client, await obtainCode(browser, client)).expect(200));
  const pairs = [await pairOf(first), await pairOf(second)];
  const areActive = () =>
    Promise.all(pairs.map(async ({ access_token }) => (await introspect(auth, access_token)).active));
  return { person, first, second, pairs, pairOf, areActive };
}

test('two client tokens work side by side, and one is disabled, enabled and deleted alone', async () => {
  const { person, first, second, pairs, pairOf, areActive } = await seed();
  expect(await areActive()).toEqual([true, true]);
  expect(await setDisabled(person, first.clientId, true)).toEqual({
    data: {
      oauthApplicationTokenUpdate: {
        oauthApplicationToken: { clientId: first.clientId, disabled: true },
        errors: [],
      },
    },
  });
  expect(await areActive()).toEqual([false, true]);
  await refresh(auth, first, pairs[0]?.refresh_token ?? '').expect(400);
  await setDisabled(person, first.clientId, false);
  auth.clock.offset += 1_000;
  expect(await areActive()).toEqual([false, true]);
  await refresh(auth, first, pairs[0]?.refresh_token ?? '').expect(400);
  const again = await pairOf(first);
  expect((await introspect(auth, again.access_token)).active).toBe(true);
  expect(await remove(person, second.clientId)).toEqual({
    data: {
      oauthApplicationTokenDelete: { oauthApplication: { tokens: [{ clientId: first.clientId }] }, errors: [] },
    },
  });
  expect(await areActive()).toEqual([false, false]);
  await refresh(auth, second, pairs[1]?.refresh_token ?? '').expect(400);
});

test('the secret is returned once, and neither the store nor the log contains it', async () => {
  const { person, second } = await seed();
  const { data } = await callGraph(
    auth,
    person,
    '{ oauthApplications(first: 5) { nodes { id name tokens { id clientId disabled createdAt } } } }',
  );
  expect(JSON.stringify(data)).toContain(second.clientId);
  const collections = (await auth.connection.listCollections()).map(({ name }) => name);
  const documents = await Promise.all(collections.map((name) => auth.connection.collection(name).find().toArray()));
  const dump = JSON.stringify([data, documents, auth.log]);
  expect(dump).toContain(second.clientId);
  expect(second.clientSecret).toMatch(/^itsm_cs_/);
  expect(dump).not.toContain(second.clientSecret);
});

test('another account, a wrong type and a deleted token are not found', async () => {
  const { person, first } = await seed();
  const stranger = await seedPerson(auth);
  const refused = { errors: [{ message: 'Not Found', extensions: { code: 'NOT_FOUND' } }] };
  expect(await setDisabled(stranger, first.clientId, true)).toMatchObject(refused);
  expect(await remove(stranger, first.clientId)).toMatchObject(refused);
  expect(await createToken(stranger, first.id)).toBeNull();
  const text = 'mutation ($id: ID!) { oauthApplicationTokenDelete(input: { id: $id }) { errors { message } } }';
  for (const id of [first.clientId, 'nonsense', nodeId('OAuthApplication', first.id)]) {
    expect(await callGraph(auth, person, text, { id })).toMatchObject(refused);
  }
  await remove(person, first.clientId);
  expect(await remove(person, first.clientId)).toMatchObject(refused);
});

test('an eleventh client token is refused, also for concurrent calls', async () => {
  const person = await seedPerson(auth);
  const { id } = await seedApplication(auth, person.accountId);
  const created = await Promise.all(Array.from({ length: 12 }, () => createToken(person, id)));
  expect(created.filter(({ clientSecret }) => clientSecret !== null)).toHaveLength(9);
  const secrets = new Set(created.map(({ clientSecret }) => clientSecret));
  expect(secrets.size).toBe(10);
  expect(created.flatMap(({ errors }) => errors)[0]).toEqual({
    message: 'An application has at most 10 client tokens',
    path: ['applicationId'],
  });
});
