import { createAuthenticator } from '../testing/authenticator';
import { formTokenIn, openBrowser, openSignedIn, signIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { addAuthenticatorApp, addPasskey, codeNow, factorsPage, postFrom } from '../testing/factors';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

// Once a person has a second factor, a session in which nobody has proved it changes nothing.

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

const isSignedIn = async (browser: Browser) => (await browser.get('/oauth/profile')).status === 200;
const factorsOf = ({ id }: SeededPerson) =>
  auth.connection.collection<{ _id: number }>('second_factors').findOne({ _id: id });

const enrolments: [string, (browser: Browser) => Promise<unknown>][] = [
  ['an authenticator app', (browser) => addAuthenticatorApp(auth, browser)],
  ['a passkey', (browser) => addPasskey(browser, createAuthenticator())],
];

test.each(enrolments)(
  '%s as the first factor ends the other sessions of the person, and nobody else’s',
  async (_w, add) => {
    const person = await seedPerson(auth);
    const colleague = await openSignedIn(auth, await seedPerson(auth, { accountId: person.accountId }));
    const [own, other] = [await openSignedIn(auth, person), await openSignedIn(auth, person)];
    await add(own);
    expect([await isSignedIn(own), await isSignedIn(other), await isSignedIn(colleague)]).toEqual([true, false, true]);
  },
);

test('a further factor leaves the other sessions, which have proved one', async () => {
  const person = await seedPerson(auth);
  const own = await openSignedIn(auth, person);
  const { secret } = await addAuthenticatorApp(auth, own);
  const other = openBrowser(auth);
  await signIn(other, person);
  const step = '/oauth/sign-in/second-step';
  await postFrom(other, step, step, { code: codeNow(auth, secret, 1) });
  await addPasskey(own, createAuthenticator());
  expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, true]);
});

/** A fresh session by password only, of a person with a factor: as if it had begun during the enrolment, or before an update of the platform. */
async function seedUnproved() {
  const person = await seedPerson(auth);
  const own = await openSignedIn(auth, person);
  const { secret } = await addAuthenticatorApp(auth, own);
  await auth.connection.collection('sessions').updateMany({ personId: person.id }, { $unset: { provedFactor: 1 } });
  return { person, browser: own, secret };
}

const forms: [string, string, string, object][] = [
  ['removes the authenticator app', factorsPage, `${factorsPage}/authenticator/remove`, {}],
  ['adds a passkey', factorsPage, `${factorsPage}/passkeys/new`, {}],
  ['renews the recovery codes', factorsPage, `${factorsPage}/recovery-codes`, {}],
  ['removes a passkey', factorsPage, `${factorsPage}/passkeys/x/remove`, {}],
  [
    'creates a token',
    '/oauth/profile',
    '/oauth/profile/personal-access-tokens',
    { name: 'Mine', days: '7', action: 'me:Name' },
  ],
];

test.each(forms)(
  'a fresh session without a proved factor is asked for one before it %s',
  async (_what, page, address, typed) => {
    const { person, browser } = await seedUnproved();
    const before = await factorsOf(person);
    const asked = await postFrom(browser, page, address, typed);
    expect(asked.text).toContain('<h1>Sign in again</h1>');
    // The password alone is not enough.
    const alone = { ...typed, form_token: formTokenIn(asked), confirm_again: 'yes', confirm_password: person.password };
    expect((await browser.post(address).type('form').send(alone)).status).toBe(401);
    expect(await factorsOf(person)).toEqual(before);
  },
);

test.each(['/oauth/profile/password', '/oauth/profile/address'])(
  'it is asked before it opens %s as well',
  async (page) => {
    const { browser } = await seedUnproved();
    expect((await browser.get(page)).text).toContain('<h1>Sign in again</h1>');
  },
);

test('with the password and a code it goes on, and is not asked again', async () => {
  const { person, browser, secret } = await seedUnproved();
  const address = `${factorsPage}/authenticator/remove`;
  const asked = await postFrom(browser, factorsPage, `${factorsPage}/recovery-codes`);
  const fields = { confirm_again: 'yes', confirm_password: person.password, confirm_code: codeNow(auth, secret, 1) };
  const renewed = { form_token: formTokenIn(asked), ...fields };
  await browser.post(`${factorsPage}/recovery-codes`).type('form').send(renewed).expect(201);
  expect((await postFrom(browser, factorsPage, address)).status).toBe(303);
  expect(await factorsOf(person)).toMatchObject({ sealedSecret: null });
});

test('a password that was changed in between proves nothing', async () => {
  const { person, browser, secret } = await seedUnproved();
  const page = '/oauth/profile/password';
  const asked = await browser.get(page);
  const fields = { confirm_again: 'yes', confirm_password: person.password, confirm_code: codeNow(auth, secret, 1) };
  await browser
    .post(page)
    .type('form')
    .send({ form_token: formTokenIn(asked), ...fields })
    .expect(303);
  const changed = {
    current: person.password,
    password: 'a new long password of hers',
    again: 'a new long password of hers',
  };
  await postFrom(browser, page, page, changed);
  const sessions = auth.connection.collection('sessions');
  expect(await sessions.findOne({ personId: person.id })).toMatchObject({ provedFactor: true });
  await sessions.updateMany({ personId: person.id }, { $set: { provedFactor: false } });
  await postFrom(browser, page, page, { ...changed, current: changed.password });
  expect(await sessions.findOne({ personId: person.id })).toMatchObject({ provedFactor: false });
});
