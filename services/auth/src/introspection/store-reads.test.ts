import { createConnection } from 'mongoose';
import { obtainCode, openSignedIn } from '../testing/browser';
import { introspect, pairIn, redeem, refresh, requestToken } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

/** Not `findAndModify`, with which the relay of events takes its work in the background. */
const reading = new Set(['find', 'aggregate', 'count', 'distinct', 'getMore']);
const reads: string[] = [];

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({
    async connect(url) {
      const options = { monitorCommands: true, bufferCommands: false, autoIndex: false };
      const connection = await createConnection(url, options).asPromise();
      connection.getClient().on('commandStarted', ({ commandName }) => {
        if (reading.has(commandName)) reads.push(commandName);
      });
      return connection;
    },
  });
});
afterAll(() => store.close());

async function seed() {
  const person = await seedPerson(auth);
  const other = await seedPerson(auth);
  await auth.connection
    .collection('people')
    .updateOne(
      { accountId: person.accountId },
      { $set: { [`roles.${other.accountId}`]: ['specialist'], accountIds: [person.accountId, other.accountId] } },
    );
  const application = await seedApplication(auth, person.accountId, {
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    actsAsPersonId: person.id,
  });
  const browser = await openSignedIn(auth, person);
  const first = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const second = pairIn(await refresh(auth, application, first.refresh_token));
  const direct = pairIn(await requestToken(auth, application, { grant_type: 'client_credentials' }));
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const input = { personId: person.id, name: 'Script', scopes: everything, expiresAt };
  const { token: personal } = await auth.app.operator.createPersonalAccessToken(input);
  return {
    person,
    other,
    application,
    tokens: [first.access_token, second.access_token, direct.access_token, personal],
    refreshToken: second.refresh_token,
  };
}

test('introspection of a known token makes at most two store reads, whatever the token', async () => {
  const { person, other, tokens } = await seed();
  for (const token of tokens) {
    reads.length = 0;
    const { active, claims } = await introspect(auth, token);
    expect(active).toBe(true);
    expect(Object.keys(claims['accounts'] as object).sort()).toEqual([person.accountId, other.accountId].sort());
    expect(reads).toEqual(['aggregate']);
  }
});

test('a token of a wrong form costs no read, an unknown or dead one no more than a live one', async () => {
  const { person, tokens } = await seed();
  reads.length = 0;
  expect(await introspect(auth, `${tokens[0]}x`)).toEqual({ active: false });
  expect(reads).toEqual([]);
  await auth.app.services.persons.disable(person.accountId, person.id);
  for (const token of tokens) {
    reads.length = 0;
    expect(await introspect(auth, token)).toEqual({ active: false });
    expect(reads).toEqual(['aggregate']);
  }
});

test('redeeming a refresh token makes one store read', async () => {
  const { application, refreshToken } = await seed();
  reads.length = 0;
  await refresh(auth, application, refreshToken).expect(200);
  expect(reads).toEqual(['aggregate']);
});
