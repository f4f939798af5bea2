import { parseCommand } from '../commands';
import { createAuthenticator } from '../testing/authenticator';
import { reseal } from '@itsm/shared/stores/reseal/reseal';
import { formTokenIn, locationOf, openBrowser, openSignedIn, signIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { addAuthenticatorApp, addPasskey, codeNow, factorsPage, postFrom, recoveryCodesIn } from '../testing/factors';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';
import { sealedSigningKeys } from '../tokens/signing-key.repository';
import { sealedAuthenticators } from './second-factor.repository';

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

const secondStep = '/oauth/sign-in/second-step';
const nextStep = () => (auth.clock.offset += 30_000);
const stored = (person: SeededPerson) =>
  auth.connection
    .collection<{ _id: number; recoveryCodes: string[]; sealedSecret: string }>('second_factors')
    .findOne({ _id: person.id });
const eventsOf = async ({ accountId }: SeededPerson) =>
  (await auth.connection.collection('security_log').find({ accountIds: accountId }).sort({ _id: 1 }).toArray()).map(
    ({ event }) => event as string,
  );

async function seed() {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  return { person, browser, ...(await addAuthenticatorApp(auth, browser)) };
}

/** Opens a browser and signs in with the password, up to the second step. */
async function openAtSecondStep(person: SeededPerson, next = ''): Promise<Browser> {
  const browser = openBrowser(auth);
  expect(locationOf(await signIn(browser, person, next))).toBe(secondStep);
  return browser;
}

const enter = (browser: Browser, code: string) => postFrom(browser, secondStep, secondStep, { code });

test('once the app is set up, sign-in needs the password and a new code', async () => {
  const { person, secret, added } = await seed();
  expect(added.status).toBe(201);
  const browser = await openAtSecondStep(person, '/oauth/administration/people');
  await browser.get('/oauth/profile').expect(303);
  nextStep();
  const entered = await enter(browser, codeNow(auth, secret));
  expect(locationOf(entered)).toBe('/oauth/administration/people');
  await browser.get('/oauth/profile').expect(200);
  await browser.get(secondStep).expect(303);
  expect(await eventsOf(person)).toContain('second_factor.added');
});

test('a code is accepted once: not after confirming the app, not again, not an earlier one, and of two concurrent uses one', async () => {
  const { person, secret } = await seed();
  expect((await enter(await openAtSecondStep(person), codeNow(auth, secret))).status).toBe(401);
  nextStep();
  const code = codeNow(auth, secret);
  const browsers = [await openAtSecondStep(person), await openAtSecondStep(person)];
  const answers = await Promise.all(browsers.map((browser) => enter(browser, code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 401]);
  for (const late of [code, codeNow(auth, secret, -1)])
    expect((await enter(await openAtSecondStep(person), late)).status).toBe(401);
});

test('concurrent different codes for one sign-in begin one session', async () => {
  const { person, recoveryCodes } = await seed();
  const browser = await openAtSecondStep(person);
  const form_token = formTokenIn(await browser.get(secondStep));
  const sessions = auth.connection.collection('sessions');
  const before = await sessions.countDocuments({ personId: person.id });
  const post = (code = '') => browser.post(secondStep).type('form').send({ form_token, code });
  await Promise.all([post(recoveryCodes[0]), post(recoveryCodes[1])]);
  expect(await sessions.countDocuments({ personId: person.id })).toBe(before + 1);
});

test('guesses are throttled by person, for all sign-ins and addresses', async () => {
  const { person, secret } = await seed();
  nextStep();
  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1)
    statuses.push((await enter(await openAtSecondStep(person), '000000')).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  const browser = await openAtSecondStep(person);
  const refused = await enter(browser, codeNow(auth, secret));
  expect(refused.status).toBe(429);
  expect(refused.headers).toHaveProperty('retry-after');
  expect(await eventsOf(person)).toContain('second_factor.failed');
});

test('a known browser of the person is not throttled by guesses from elsewhere', async () => {
  const { person, secret, browser } = await seed();
  nextStep();
  for (let count = 0; count < 7; count += 1) await enter(await openAtSecondStep(person), '000000');
  await postFrom(browser, '/oauth/profile', '/oauth/sign-out');
  await signIn(browser, person);
  expect((await enter(browser, codeNow(auth, secret))).status).toBe(303);
});

test('the second step expires after ten minutes or with a new password, and is bound to this browser', async () => {
  const { person, secret } = await seed();
  const late = await openAtSecondStep(person);
  auth.clock.offset = 10 * 60_000;
  await late.get(secondStep).expect(303);
  const browser = await openAtSecondStep(person);
  await openBrowser(auth).get(secondStep).expect(303);
  const form_token = formTokenIn(await browser.get(secondStep));
  await browser
    .post(secondStep)
    .type('form')
    .send({ code: codeNow(auth, secret) })
    .expect(403);
  await auth.app.operator.setPassword(person.accountId, person.email, 'another password of theirs');
  const entered = await browser
    .post(secondStep)
    .type('form')
    .send({ form_token, code: codeNow(auth, secret) });
  expect(locationOf(entered)).toBe('/oauth/sign-in');
});

test('ten recovery codes are shown once, stored as digests, and each is accepted once', async () => {
  const { person, browser, recoveryCodes } = await seed();
  expect(new Set(recoveryCodes).size).toBe(10);
  expect((await browser.get(factorsPage)).text).not.toContain(recoveryCodes[0]);
  const kept = await stored(person);
  for (const code of recoveryCodes)
    for (const form of [code, code.replaceAll('-', '')]) expect(JSON.stringify(kept)).not.toContain(form);
  const [code = ''] = recoveryCodes;
  const typed = code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O');
  const browsers = [await openAtSecondStep(person), await openAtSecondStep(person)];
  const answers = await Promise.all(browsers.map((one) => enter(one, typed)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 401]);
  expect((await browser.get(factorsPage)).text).toContain('You have 9 left.');
  expect(await eventsOf(person)).toContain('recovery_code.used');
});

test('new recovery codes make the former ones void', async () => {
  const { person, browser, recoveryCodes } = await seed();
  const renewed = recoveryCodesIn(await postFrom(browser, factorsPage, `${factorsPage}/recovery-codes`));
  expect(renewed).toHaveLength(10);
  expect((await enter(await openAtSecondStep(person), recoveryCodes[3] ?? '')).status).toBe(401);
  expect((await enter(await openAtSecondStep(person), renewed[3] ?? '')).status).toBe(303);
});

test('a removed app is not asked for any more, and its recovery codes are gone', async () => {
  const { person, browser } = await seed();
  await postFrom(browser, factorsPage, `${factorsPage}/authenticator/remove`);
  expect((await stored(person))?.recoveryCodes).toEqual([]);
  expect(locationOf(await signIn(openBrowser(auth), person))).toBe('/oauth/profile');
  expect(await eventsOf(person)).toContain('second_factor.removed');
});

test('the app is set up once, only with the right code of the offered secret, by the person it was offered to', async () => {
  const { browser: stranger } = { browser: await openSignedIn(auth, await seedPerson(auth)) };
  const { browser, offer, secret } = await seed();
  const confirm = (by: Browser, code: string, given = offer) =>
    postFrom(by, factorsPage, `${factorsPage}/authenticator`, { offer: given, code });
  expect((await confirm(stranger, codeNow(auth, secret))).status).toBe(422);
  expect((await confirm(stranger, '123456', 'forged')).status).toBe(422);
  expect((await confirm(browser, codeNow(auth, secret))).text).toContain('You already have an authenticator app');
  const other = await openSignedIn(auth, await seedPerson(auth));
  const form_token = formTokenIn(await other.get(factorsPage));
  const page = await other.post(`${factorsPage}/authenticator/new`).type('form').send({ form_token });
  const [, sealed = ''] = /name="offer" value="([^"]+)"/.exec(page.text) ?? [];
  expect((await confirm(other, '12345x', sealed)).text).toContain('The code is wrong');
  await other.post(`${factorsPage}/authenticator`).type('form').send({ offer: sealed }).expect(403);
  await openBrowser(auth).get(factorsPage).expect(303);
});

test('the operator removes the factors of a person who has lost them, and of nobody else', async () => {
  const { person, browser } = await seed();
  const { person: other } = await seed();
  await addPasskey(browser, createAuthenticator());
  const run = (email: string) =>
    parseCommand(['remove-second-factors', '--account', person.accountId, '--email', email], undefined)(
      auth.app.operator,
      'http://localhost:4000',
    );
  await expect(run(other.email)).rejects.toThrow(/has nobody with the address/);
  expect(await run(person.email)).toContain('can sign in with the password alone');
  expect(locationOf(await signIn(openBrowser(auth), person))).toBe('/oauth/profile');
  expect(locationOf(await signIn(openBrowser(auth), other))).toBe(secondStep);
  expect(await auth.connection.collection('passkeys').countDocuments({ personId: person.id })).toBe(0);
});

test('the secret is stored sealed, and re-encrypted with a new key', async () => {
  const { person, secret } = await seed();
  const raw = JSON.stringify(await stored(person));
  for (const form of ['base64', 'hex', 'latin1'] as const) expect(raw).not.toContain(secret.toString(form));
  const [former, fresh] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
  const say = (line: string): never => {
    throw new Error(line);
  };
  const places = [sealedAuthenticators, sealedSigningKeys];
  const { remaining } = await reseal({ connection: auth.connection, keys: [fresh, former], places, say });
  expect(remaining).toEqual(new Map());
  const settings = { SEALING_KEYS: fresh.toString('base64') };
  const replica = await store.start({ database: auth.database, settings });
  const browser = openBrowser(replica);
  await signIn(browser, person);
  nextStep();
  expect((await enter(browser, codeNow(auth, secret))).status).toBe(303);
  await reseal({ connection: auth.connection, keys: [former, fresh], places, say });
});
