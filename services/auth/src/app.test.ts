import {
  answerIn,
  authorizeQuery,
  decide,
  locationOf,
  obtainCode,
  openBrowser,
  openSignedIn,
  signIn,
} from './testing/browser';
import { introspect, pairIn, redeem, refresh } from './testing/client';
import { callback, seedApplication, seedPerson, startStore } from './testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

test('a person signs in, allows an application, and the application gets, uses and refreshes its tokens', async () => {
  const auth = await store.start();
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = openBrowser(auth);

  const query = authorizeQuery(application, { state: 'a b/+&=é' });
  const asked = await browser.get('/oauth/authorize').query(query).expect(302);
  const signInPage = locationOf(asked);
  expect(signInPage).toMatch(/^\/oauth\/sign-in\?next=/);
  const next = new URL(signInPage, 'http://x').searchParams.get('next') ?? '';
  expect(locationOf(await signIn(browser, person, next))).toBe(next);

  const answer = await decide(browser, query, 'allow');
  expect(answer.status).toBe(302);
  expect(locationOf(answer)).toMatch(new RegExp(`^${callback}\\?code=`));
  expect(answerIn(answer)).toMatchObject({ state: 'a b/+&=é', iss: 'http://localhost:4000' });

  const first = await redeem(auth, application, answerIn(answer)['code'] ?? '').expect(200);
  expect(first.body).toEqual({
    access_token: expect.stringMatching(/^itsm_at_/) as string,
    refresh_token: expect.stringMatching(/^itsm_rt_/) as string,
    token_type: 'bearer',
    expires_in: 3600,
    refresh_token_expires_in: 1_209_600,
    scope: 'me:Name person:Read',
  });
  const second = await refresh(auth, application, pairIn(first).refresh_token).expect(200);
  expect(pairIn(second).access_token).not.toBe(pairIn(first).access_token);
  expect(await introspect(auth, pairIn(second).access_token)).toMatchObject({
    active: true,
    limit_key: `application:${application.id}:person:${person.id}`,
    accounts: [person.accountId],
    claims: { sub: String(person.id), home: person.accountId, kind: 'access', application: application.id },
  });
});

test('an application that was allowed before gets its code without a consent page', async () => {
  const auth = await store.start();
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = await openSignedIn(auth, person);
  await obtainCode(browser, application);
  const again = await browser.get('/oauth/authorize').query(authorizeQuery(application)).expect(302);
  expect(answerIn(again)['code']).toMatch(/^itsm_ac_/);
});
