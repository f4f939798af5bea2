import { answerIn, authorizeQuery, decide, openSignedIn } from '../testing/browser';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

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
  const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
  expect((await ask(challenge))['code']).toMatch(/^itsm_ac_/);
});
