import { formTokenIn, obtainCode, openSignedIn } from './browser';
import { pairIn, redeem, refresh } from './client';
import { everything, seedApplication, seedPerson, startStore } from './start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

test('neither the store nor the log holds a token, a code, a secret, a session id or a password', async () => {
  const auth = await store.start();
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = await openSignedIn(auth, person);
  const code = await obtainCode(browser, application);
  const first = pairIn(await redeem(auth, application, code).expect(200));
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  await redeem(auth, application, code).expect(400);
  const { token } = await auth.app.operator.createPersonalAccessToken({
    personId: person.id,
    name: 'Script',
    scopes: everything,
    expiresAt: new Date(auth.now().getTime() + 1000),
  });
  const session = browser.jar.getCookie('session', { path: '/', domain: '127.0.0.1', secure: false, script: false });

  const collections = (await auth.connection.listCollections()).map(({ name }) => name);
  const documents = await Promise.all(collections.map((name) => auth.connection.collection(name).find().toArray()));
  const dump = JSON.stringify(documents) + auth.log.join('\n');
  expect(collections.length).toBeGreaterThan(8);
  expect(dump).toContain(person.email);
  const formToken = formTokenIn(await browser.get('/oauth/profile'));
  const issued = [first, second].flatMap((pair) => [pair.access_token, pair.refresh_token]);
  for (const secret of [...issued, code, token, application.clientSecret, person.password, session?.value, formToken]) {
    expect(secret?.length).toBeGreaterThan(10);
    expect(dump).not.toContain(secret);
  }
});
