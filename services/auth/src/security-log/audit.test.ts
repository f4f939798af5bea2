import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';
import {
  answerIn,
  authorizeQuery,
  decide,
  formTokenIn,
  obtainCode,
  openBrowser,
  openSignedIn,
  signIn,
} from '../testing/browser';
import type { Browser } from '../testing/browser';
import { pairIn, redeem, refresh, requestToken } from '../testing/client';
import { baseUrl, seedApplication, seedPerson, startStore } from '../testing/start-auth';
import type { Auth } from '../testing/start-auth';
import type { AuditRecord } from '../security/audit-entry';

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

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  return { person, application, browser: await openSignedIn(auth, person) };
}

/** The entries of one event in an account, in order of writing. */
const written = async (accountId: string, event: string, on = auth): Promise<AuditRecord[]> => {
  const found = await on.connection
    .collection('security_log')
    .find({ accountIds: accountId, event })
    .sort({ _id: -1 })
    .toArray();
  return found as unknown as AuditRecord[];
};

const post = async (browser: Browser, path: string, fields: object = {}) => {
  const form_token = formTokenIn(await browser.get('/oauth/profile'));
  return browser
    .post(path)
    .type('form')
    .send({ form_token, ...fields });
};

const revokeAddresses = (text: string): string[] =>
  [...text.matchAll(/action="(\/oauth\/profile\/authorizations\/[\w-]+\/revoke)"/g)].map((match) => match[1] ?? '');

test('a sign-in is logged with the person, the network address, the browser and the request', async () => {
  const person = await seedPerson(auth);
  const browser = openBrowser(auth);
  const form_token = formTokenIn(await browser.get('/oauth/sign-in'));
  await browser
    .post('/oauth/sign-in')
    .set('X-Forwarded-For', '203.0.113.9')
    .set('X-Request-Id', 'request-of-sign-in')
    .set('User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0')
    .type('form')
    .send({ form_token, email: person.email, password: person.password })
    .expect(303);
  const whom = { accountId: person.accountId, id: person.id, name: 'Ellen Brown' };
  expect(await written(person.accountId, 'sign_in.succeeded')).toEqual([
    expect.objectContaining({
      person: whom,
      actor: whom,
      application: null,
      facts: {},
      ip: '203.0.113.9',
      userAgent: 'Firefox 144 on Linux',
      requestId: 'request-of-sign-in',
    }),
  ]);
});

test('a failed sign-in is logged with its reason, and without an actor', async () => {
  const person = await seedPerson(auth);
  await signIn(openBrowser(auth), { ...person, password: 'wrong' });
  expect(await written(person.accountId, 'sign_in.failed')).toEqual([
    expect.objectContaining({
      person: { accountId: person.accountId, id: person.id, name: 'Ellen Brown' },
      actor: null,
      facts: { because: 'wrong password' },
    }),
  ]);
});

test("an unknown person's failed sign-in is one entry in the named account's log, without the typed text", async () => {
  const { accountId } = await seedPerson(auth);
  const typed = 'hunter2@my-password.example';
  const count = () => auth.connection.collection('security_log').countDocuments({ event: 'sign_in.failed' });
  const before = await count();
  for (const account of [accountId, '', '../Other Account']) {
    const browser = openBrowser(auth);
    const form_token = formTokenIn(await browser.get('/oauth/sign-in'));
    const form = { form_token, email: typed, password: typed, account };
    await browser.post('/oauth/sign-in').set('X-Forwarded-For', '203.0.113.77').type('form').send(form).expect(401);
  }
  expect((await count()) - before).toBe(3);
  const [entry, ...others] = await written(accountId, 'sign_in.failed');
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ person: null, actor: null, facts: { because: 'no such person' } });
  const all = await auth.connection.collection('security_log').find().toArray();
  expect(JSON.stringify(all)).not.toContain('my-password');
});

test('throttled guessing is one entry in a quarter of an hour', async () => {
  const person = await seedPerson(auth);
  const guess = { ...person, password: 'wrong' };
  for (let count = 0; count < 9; count += 1) {
    const browser = openBrowser(auth);
    const form_token = formTokenIn(await browser.get('/oauth/sign-in'));
    await browser
      .post('/oauth/sign-in')
      .set('X-Forwarded-For', '203.0.113.10')
      .type('form')
      .send({ form_token, ...guess });
  }
  expect(await written(person.accountId, 'sign_in.failed')).toHaveLength(5);
  expect(await written(person.accountId, 'sign_in.throttled')).toEqual([
    expect.objectContaining({ ip: '203.0.113.10', person: expect.objectContaining({ id: person.id }) as object }),
  ]);
});

test('invented addresses cause one entry in a quarter of an hour in the log of the named account', async () => {
  const { accountId } = await seedPerson(auth);
  const statuses: number[] = [];
  for (let count = 0; count < 18; count += 1) {
    const browser = openBrowser(auth);
    const form_token = formTokenIn(await browser.get('/oauth/sign-in'));
    const email = `nobody-${count % 3}@nowhere.example`;
    const { status } = await browser
      .post('/oauth/sign-in')
      .set('X-Forwarded-For', `2001:db8:a::${count}`)
      .type('form')
      .send({ form_token, email, password: 'wrong', account: accountId });
    statuses.push(status);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  expect(await written(accountId, 'sign_in.throttled')).toEqual([
    expect.objectContaining({ person: null, facts: { because: 'no such person' } }),
  ]);
});

test('allowing, refusing and revoking an application are logged with its name and scopes', async () => {
  const { person, application, browser } = await seed();
  await decide(browser, authorizeQuery(application), 'deny');
  await obtainCode(browser, application);
  // Allowed before, so a further code needs no consent and makes no entry.
  await obtainCode(browser, application);
  const [address = ''] = revokeAddresses((await browser.get('/oauth/profile')).text);
  expect((await post(browser, address)).status).toBe(303);
  const whom = { accountId: person.accountId, id: person.id };
  const what = { accountId: person.accountId, id: application.id, name: 'Demo application' };
  for (const event of ['authorization.denied', 'authorization.granted', 'authorization.revoked']) {
    const [entry, ...others] = await written(person.accountId, event);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ person: whom, actor: { ...whom, name: 'Ellen Brown' }, application: what });
    if (event === 'authorization.revoked') continue;
    expect(entry).toMatchObject({
      clientId: application.clientId,
      facts: { scopes: ['me:Name', 'person:Read'] },
    });
  }
});

test('concurrent replays of a code cause one alert, with a warning in the log', async () => {
  const { person, application, browser } = await seed();
  const code = await obtainCode(browser, application);
  await redeem(auth, application, code).expect(200);
  await Promise.all(Array.from({ length: 8 }, () => redeem(auth, application, code)));
  expect(await written(person.accountId, 'code.replayed')).toEqual([
    expect.objectContaining({
      person: { accountId: person.accountId, id: person.id, name: 'Ellen Brown' },
      application: { accountId: person.accountId, id: application.id, name: 'Demo application' },
      actor: null,
      clientId: application.clientId,
    }),
  ]);
  expect(auth.log.filter((line) => line.includes('"warn"') && line.includes('code replayed'))).not.toEqual([]);
});

test('a reused refresh token is an alert, a retry within the grace period is not', async () => {
  const { person, application, browser } = await seed();
  const first = pairIn(await redeem(auth, application, await obtainCode(browser, application)).expect(200));
  await refresh(auth, application, first.refresh_token).expect(200);
  await refresh(auth, application, first.refresh_token).expect(200);
  expect(await written(person.accountId, 'refresh.reused')).toEqual([]);
  auth.clock.offset = 11_000;
  await refresh(auth, application, first.refresh_token).expect(400);
  await refresh(auth, application, first.refresh_token).expect(400);
  expect(await written(person.accountId, 'refresh.reused')).toEqual([
    expect.objectContaining({ application: expect.objectContaining({ id: application.id }) as object }),
  ]);
});

test('a wrong client secret is one entry a minute, an unknown client none', async () => {
  const { person, application } = await seed();
  // Start at the beginning of a minute, so that both attempts fall into it.
  auth.clock.offset = 60_000 - (auth.now().getTime() % 60_000);
  for (let count = 0; count < 3; count += 1) {
    await requestToken(auth, { ...application, clientSecret: 'wrong' }, { grant_type: 'refresh_token' }).expect(400);
  }
  await requestToken(auth, { ...application, clientId: 'unknown' }, { grant_type: 'refresh_token' }).expect(400);
  expect(await written(person.accountId, 'client.failed')).toEqual([
    expect.objectContaining({
      clientId: application.clientId,
      application: { accountId: person.accountId, id: application.id, name: 'Demo application' },
      facts: { because: 'wrong secret' },
    }),
  ]);
});

test('creation and revocation of personal access tokens are logged, without the token', async () => {
  const { person, browser } = await seed();
  const fields = { name: `Nightly ${createOpaqueToken('pat')}`.slice(0, 80), days: '30', action: 'request:Read' };
  const created = await post(browser, '/oauth/profile/personal-access-tokens', fields);
  expect(created.status).toBe(201);
  const address = /action="(\/oauth\/profile\/personal-access-tokens\/\d+\/revoke)"/.exec(created.text)?.[1] ?? '';
  await post(browser, address);
  await post(browser, address);
  const entries = [
    ...(await written(person.accountId, 'personal_access_token.created')),
    ...(await written(person.accountId, 'personal_access_token.revoked')),
  ];
  expect(entries.map(({ event, facts }) => ({ event, ...facts }))).toEqual([
    expect.objectContaining({ name: 'Nightly itsm_pat_[redacted]', scopes: ['request:Read'] }),
    { event: 'personal_access_token.revoked', name: 'Nightly itsm_pat_[redacted]' },
  ]);
});

test('entries about a person of another account are visible to the administrators of the application too', async () => {
  const person = await seedPerson(auth);
  const owner = await seedPerson(auth);
  await auth.app.operator.ensureAccount({
    id: owner.accountId,
    name: 'Child',
    directoryAccountId: person.accountId,
  });
  const browser = await openSignedIn(auth, person);
  await obtainCode(browser, await seedApplication(auth, owner.accountId));
  const [entry] = await written(owner.accountId, 'authorization.granted');
  expect(entry?.accountIds).toEqual([person.accountId, owner.accountId]);
});

test('an entry expires after a year, and cannot be changed', async () => {
  const person = await seedPerson(auth);
  await openSignedIn(auth, person);
  const entry = await auth.connection.collection('security_log').findOne({ accountIds: person.accountId });
  const { at, expiresAt } = entry as unknown as { at: Date; expiresAt: Date };
  expect(expiresAt.getTime() - at.getTime()).toBe(365 * 86_400_000);
  const indexes = await auth.connection.collection('security_log').indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
});

/** Makes the store refuse a second entry of this event. */
const refuse = (on: Auth, event: string) =>
  on.connection
    .collection('security_log')
    .createIndex({ event: 1, refused: 1 }, { unique: true, partialFilterExpression: { event } });

test('when entries cannot be stored, sign-in continues and the entry goes to the process log', async () => {
  const own = await store.start();
  const person = await seedPerson(own);
  await refuse(own, 'sign_in.succeeded');
  await openSignedIn(own, person);
  const browser = await openSignedIn(own, person);
  await browser.get('/oauth/profile').expect(200);
  expect(await written(person.accountId, 'sign_in.succeeded', own)).toHaveLength(1);
  const lost = own.log.filter((line) => line.includes('security log entry lost'));
  expect(lost).toHaveLength(1);
  expect(lost[0]).toContain('sign_in.succeeded');
});

test('when entries cannot be stored, nothing is granted', async () => {
  const own = await store.start();
  const person = await seedPerson(own);
  const browser = await openSignedIn(own, person);
  await obtainCode(browser, await seedApplication(own, person.accountId));
  const other = await seedApplication(own, person.accountId, { name: 'Other' });
  await refuse(own, 'authorization.granted');
  const refused = await decide(browser, authorizeQuery(other, { state: 's' }), 'allow');
  expect(answerIn(refused)).toEqual({
    error: 'temporarily_unavailable',
    error_description: 'The security log cannot be written at the moment. Please try again.',
    state: 's',
    iss: baseUrl,
  });
  const { text } = await browser.get('/oauth/profile');
  expect(revokeAddresses(text)).toHaveLength(1);
});

test('when entries cannot be stored, a revocation takes effect but is not reported as done', async () => {
  const own = await store.start();
  const person = await seedPerson(own);
  const browser = await openSignedIn(own, person);
  const application = await seedApplication(own, person.accountId);
  const revoke = async () => {
    await obtainCode(browser, application);
    const page = await browser.get('/oauth/profile');
    const [address = ''] = revokeAddresses(page.text);
    return browser
      .post(address)
      .type('form')
      .send({ form_token: formTokenIn(page) });
  };
  expect((await revoke()).status).toBe(303);
  await refuse(own, 'authorization.revoked');
  expect((await revoke()).status).toBe(503);
  expect((await browser.get('/oauth/profile')).text).toContain('You have not authorized any application.');
});
