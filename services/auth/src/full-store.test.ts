import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { fillStore } from '@itsm/shared/testing/full-store';
import type { Connection } from 'mongoose';
import { obtainCode, openSignedIn, signIn, openBrowser } from './testing/browser';
import { bodyIn, introspect, pairIn, redeem, refresh } from './testing/client';
import { seedApplication, seedPerson, startStore } from './testing/start-auth';
import type { Auth } from './testing/start-auth';
import { seenMilliseconds } from './sessions/session';
import { rotateAfterMilliseconds } from './tokens/signing-key';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  auth = await store.start();
});
afterEach(() => {
  auth.clock.offset = 0;
});

const sentence = 'The disk of the platform is full: ask its operator to make room, then try again';
const kidsOf = async ({ http }: Auth) =>
  (bodyIn(await http.get('/oauth/jwks').expect(200)) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);

test('on a full store pages and tokens go on; what needs a write says what to do, and works again with room', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = await openSignedIn(auth, person);
  const pair = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const makeRoom = fillStore(auth.connection);
  // So much later that the visit is noted in the session.
  auth.clock.offset = seenMilliseconds + 1;
  await browser.get('/oauth/profile').expect(200);
  expect((await introspect(auth, pair.access_token)).active).toBe(true);

  auth.log.length = 0;
  const refused = await refresh(auth, application, pair.refresh_token).expect(507);
  expect(refused.body).toEqual({ error: 'temporarily_unavailable', error_description: sentence });
  const errors = auth.log
    .map((line) => JSON.parse(line) as object)
    .filter((line) => 'level' in line && line.level === 'error');
  expect(errors).toMatchObject([{ message: 'client request failed', error: { message: 'no space left on device' } }]);
  expect(auth.log.join('\n')).not.toContain('    at ');
  const page = await signIn(openBrowser(auth), person);
  expect(page).toMatchObject({ status: 507, text: expect.stringContaining(sentence) as unknown });

  makeRoom();
  await refresh(auth, application, pair.refresh_token).expect(200);
  expect((await signIn(openBrowser(auth), person)).status).toBe(303);
});

test('a revocation on a full store is refused, and nothing is revoked', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = await openSignedIn(auth, person);
  const pair = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const makeRoom = fillStore(auth.connection);
  const revocation = { client_id: application.clientId, client_secret: application.clientSecret };
  const revoke = () =>
    auth.http
      .post('/oauth/revoke')
      .type('form')
      .send({ ...revocation, token: pair.refresh_token });
  await revoke().expect(507);
  expect((await introspect(auth, pair.access_token)).active).toBe(true);
  makeRoom();
  await revoke().expect(200);
  expect((await introspect(auth, pair.access_token)).active).toBe(false);
});

const connections: Connection[] = [];
afterAll(() => Promise.all(connections.map((connection) => connection.close())));
const connectFull = async (url: string): Promise<Connection> => {
  const connection = await connectPatiently(url);
  connections.push(connection);
  fillStore(connection);
  return connection;
};

test('with a full store it starts, though a new signing key is due', async () => {
  const keys = await kidsOf(auth);
  auth.clock.offset = rotateAfterMilliseconds;
  const again = await store.start({ database: auth.database, connect: connectFull });
  expect(await kidsOf(again)).toEqual(keys);
});

test('without any signing key it does not start on a full store', async () => {
  await expect(store.start({ connect: connectFull })).rejects.toThrow('no space left on device');
});
