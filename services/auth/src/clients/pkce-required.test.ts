import { answerIn, authorizeQuery, challenge, decide, openSignedIn } from '../testing/browser';
import { redeem } from '../testing/client';
import { callback, everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

test('an application that requires PKCE gets a code for a challenge only', async () => {
  const auth = await store.start();
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, { pkceRequired: true });
  const browser = await openSignedIn(auth, person);
  const ask = async (more = {}) => answerIn(await decide(browser, authorizeQuery(application, more), 'allow'));
  expect(await ask()).toMatchObject({ error: 'invalid_request', error_description: 'code_challenge is missing' });
  expect((await ask(challenge))['code']).toMatch(/^itsm_ac_/);
});

test('an application that is exempted needs a challenge for private-use schemes only', async () => {
  const auth = await store.start();
  const person = await seedPerson(auth);
  const loopback = ['http://127.0.0.1/callback', 'http://localhost:1234/callback', 'http://[::1]/callback', callback];
  const redirectUris = [...loopback, 'com.example.app:/callback'];
  const application = await seedApplication(auth, person.accountId, { pkceRequired: false, redirectUris });
  const browser = await openSignedIn(auth, person);
  for (const redirect_uri of redirectUris) {
    const ask = async (more = {}) =>
      answerIn(await decide(browser, authorizeQuery(application, { redirect_uri, ...more }), 'allow'));
    if (loopback.includes(redirect_uri)) expect((await ask())['code']).toMatch(/^itsm_ac_/);
    else
      expect(await ask()).toMatchObject({ error: 'invalid_request', error_description: 'code_challenge is missing' });
    expect((await ask(challenge))['code']).toMatch(/^itsm_ac_/);
  }
});

test('an exempted application may still send a challenge, and then needs the verifier', async () => {
  const auth = await store.start();
  const person = await seedPerson(auth);
  const redirect_uri = 'http://127.0.0.1:8765/callback';
  const application = await seedApplication(auth, person.accountId, {
    pkceRequired: false,
    redirectUris: [redirect_uri],
  });
  const browser = await openSignedIn(auth, person);
  const { code = '' } = answerIn(
    await decide(browser, authorizeQuery(application, { redirect_uri, ...challenge }), 'allow'),
  );
  const { body } = await redeem(auth, application, code, { redirect_uri }).expect(400);
  expect(body).toMatchObject({ error: 'invalid_grant' });
});

test.each(['http://127.0.0.1/callback', 'http://localhost:1234/callback', 'com.example.app:/callback'])(
  'an application that is not exempted needs a challenge for %s',
  async (redirect_uri) => {
    const auth = await store.start();
    const person = await seedPerson(auth);
    const application = await seedApplication(auth, person.accountId, {
      pkceRequired: true,
      redirectUris: [redirect_uri],
    });
    const browser = await openSignedIn(auth, person);
    const answer = answerIn(await decide(browser, authorizeQuery(application, { redirect_uri }), 'allow'));
    expect(answer).toMatchObject({ error: 'invalid_request', error_description: 'code_challenge is missing' });
  },
);

test('a new application requires it, made by an administrator or by the operator', async () => {
  const auth = await store.start();
  const { accountId } = await seedPerson(auth);
  const { applications } = auth.app.services;
  const settings = { name: 'New', scopes: everything, redirectUris: [callback] };
  expect(await applications.create(accountId, everything, settings)).toMatchObject({ pkceRequired: true });
  const made = await auth.app.operator.ensureApplication({
    accountId,
    ...settings,
    name: 'By the operator',
    grantTypes: ['authorization_code'],
  });
  expect(await applications.find(accountId, made.id)).toMatchObject({ pkceRequired: true });
});
