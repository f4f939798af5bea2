import { randomBytes } from 'node:crypto';
import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { Response } from 'supertest';
import { newRecoveryCodes } from '../factors/recovery-codes';
import { newTotpSecret } from '../factors/totp';
import { newSessionId } from '../sessions/session.service';
import {
  attempt,
  authorizeQuery,
  formTokenIn,
  locationOf,
  openBrowser,
  openSignedIn,
  signIn,
} from '../testing/browser';
import { addAuthenticatorApp, codeNow, postFrom } from '../testing/factors';
import { choosePassword, forgotPassword, linkIn, mailTo } from '../testing/mailed';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let smtp: SmtpReceiver;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  smtp = await startSmtpReceiver();
  auth = await store.start({ settings: { SMTP_URL: smtp.url } });
});
afterAll(async () => {
  await store.close();
  await smtp.close();
});
afterEach(() => {
  auth.clock.offset = 0;
});

const network = () => `2001:db8:${randomBytes(2).toString('hex')}::1`;
const half = 30 * 60_000;

/** The attributes of every password field, by its name. */
const passwordFieldsIn = ({ text }: Response): string[] =>
  [...text.matchAll(/<input ([^>]*)>/g)]
    .map(([, attributes = '']) => attributes)
    .filter((attributes) => /name="(?:password|again|current|confirm_password)"/.test(attributes));

test('every password field is masked, and accepts pasting and password managers', async () => {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  await forgotPassword(auth, person.email);
  const link = linkIn(await mailTo(smtp, person.email));
  const pages = [
    await openBrowser(auth).get('/oauth/sign-in'),
    await openBrowser(auth).get(link),
    await browser.get('/oauth/profile/password'),
    await browser.get('/oauth/profile/address'),
  ];
  auth.clock.offset = half;
  pages.push(await postFrom(browser, '/oauth/profile', '/oauth/profile/sign-in/recovery-codes'));
  expect(pages.map((page) => passwordFieldsIn(page).length)).toEqual([1, 2, 3, 1, 1]);
  for (const field of pages.flatMap(passwordFieldsIn)) {
    expect(field).toContain('type="password"');
    expect(field).toMatch(/autocomplete="(?:current|new)-password"/);
    // Room for any password, and no script that could block pasting.
    expect(Number(/maxlength="(\d+)"/.exec(field)?.[1])).toBeGreaterThan(256);
    expect(field).not.toMatch(/\son\w+=|readonly/);
  }
});

test('a password is compared exactly: capitals, blanks and its full length', async () => {
  const password = `  Three Gr\u00fcn Trees ${'and one more '.repeat(8)} `;
  const person = await seedPerson(auth, { password });
  const status = async (given: string) =>
    (await attempt(auth, { email: person.email, password: given }, network())).status;
  for (const other of [
    password.trim(),
    password.toLowerCase(),
    password.slice(0, -1),
    password.slice(0, 72),
    password.normalize('NFD'),
  ])
    expect([other, await status(other)]).toEqual([other, 401]);
  expect(await status(password)).toBe(303);
});

test('a password does not expire', async () => {
  const person = await seedPerson(auth);
  auth.clock.offset = 5 * 365 * 86_400_000;
  const browser = openBrowser(auth);
  expect(locationOf(await signIn(browser, person))).toBe('/oauth/profile');
  await browser.get('/oauth/profile').expect(200);
});

test('the name of the account is refused as a password', async () => {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  const password = `Account-${person.accountId}!`;
  const form = { current: person.password, password, again: password };
  const refused = await postFrom(browser, '/oauth/profile/password', '/oauth/profile/password', form);
  expect([refused.status, /made of your name/.test(refused.text)]).toEqual([422, true]);
});

test('resetting a forgotten password does not bypass the second factor', async () => {
  const person = await seedPerson(auth);
  const { secret } = await addAuthenticatorApp(auth, await openSignedIn(auth, person));
  await forgotPassword(auth, person.email);
  const password = 'three green tall trees';
  const chosen = await choosePassword(auth, linkIn(await mailTo(smtp, person.email)), password);
  expect(chosen.status).toBe(200);
  expect(chosen.get('Set-Cookie') ?? []).toEqual([]);
  const browser = openBrowser(auth);
  expect(locationOf(await signIn(browser, { ...person, password }))).toBe('/oauth/sign-in/second-step');
  await browser.get('/oauth/profile').expect(303);
  const address = '/oauth/sign-in/second-step';
  await postFrom(browser, address, address, { code: codeNow(auth, secret, 1) });
  await browser.get('/oauth/profile').expect(200);
});

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const bitsOfCode = (code: string): string =>
  [...code.replaceAll('-', '')].map((one) => crockford.indexOf(one).toString(2).padStart(5, '0')).join('');
const bitsOf = (bytes: Buffer): string => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
const many = 2_000;

test.each([
  ['session ids', 256, () => bitsOf(Buffer.from(newSessionId(), 'base64url'))],
  ['keys of authenticator apps', 160, () => bitsOf(newTotpSecret())],
  ['recovery codes', 120, () => bitsOfCode(newRecoveryCodes()[0] ?? '')],
])('%s are random: %d bits, each of them as often set as not, and none twice', (_what, length, make) => {
  const made = Array.from({ length: many }, make);
  expect(new Set(made).size).toBe(many);
  expect(made.filter((bits) => bits.length !== length)).toEqual([]);
  for (let at = 0; at < length; at += 1) {
    const set = made.filter((bits) => bits[at] === '1').length;
    // Seven standard deviations: a false alarm once in billions of runs.
    expect(Math.abs(set - many / 2)).toBeLessThan(7 * Math.sqrt(many / 4));
  }
});

test('every page of a signed-in person has a sign-out button', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = await openSignedIn(auth, person);
  const consent = locationOf(await browser.get('/oauth/authorize').query(authorizeQuery(application)));
  const administration = '/oauth/administration';
  const pages = [
    '/oauth/profile',
    '/oauth/profile/password',
    '/oauth/profile/address',
    '/oauth/profile/sign-in',
    consent,
    ...['applications', 'sso-configurations', 'sso-configurations/new', 'people', 'account', 'security-log'].map(
      (page) => `${administration}/${page}`,
    ),
    '/oauth/authorize?client_id=unknown',
    '/oauth/nowhere',
  ];
  const out = /<form class="inline" method="post" action="\/oauth\/sign-out">[^]*?<button class="plain">Sign out</;
  for (const page of pages) expect([page, out.test((await browser.get(page)).text)]).toEqual([page, true]);
  auth.clock.offset = half;
  const again = await postFrom(browser, '/oauth/profile', '/oauth/profile/sessions/end-all');
  expect(again.text).toMatch(out);
  await browser
    .post('/oauth/sign-out')
    .type('form')
    .send({ form_token: formTokenIn(again) })
    .expect(303);
  await browser.get('/oauth/profile').expect(303);
});
