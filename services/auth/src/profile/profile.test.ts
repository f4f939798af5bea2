import { formTokenIn, locationOf, obtainCode, openBrowser, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { introspect, pairIn, redeem } from '../testing/client';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';
import type { Auth } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

async function seed() {
  const person = await seedPerson(auth);
  return { person, browser: await openSignedIn(auth, person) };
}

async function createToken(browser: Browser, fields: object) {
  const form_token = formTokenIn(await browser.get('/oauth/profile'));
  return browser
    .post('/oauth/profile/personal-access-tokens')
    .type('form')
    .send({ form_token, ...fields });
}
const tokenIn = (text: string): string => /itsm_pat_\w+/.exec(text)?.[0] ?? '';
const revokeAddressIn = (text: string): string =>
  /action="(\/oauth\/profile\/[\w-]+\/[\w-]+\/revoke)"/.exec(text)?.[1] ?? '';

test('a personal access token is shown once and works with the chosen scopes', async () => {
  const { browser } = await seed();
  const created = await createToken(browser, { name: 'Nightly', days: '30', action: ['request:Read', 'me:Name'] });
  expect(created.status).toBe(201);
  const { claims } = await introspect(auth, tokenIn(created.text));
  expect(claims).toMatchObject({
    kind: 'personal',
    scopes: [{ effect: 'allow', actions: ['request:Read', 'me:Name'] }],
  });
  const { text } = await browser.get('/oauth/profile');
  expect(text).toContain('Nightly');
  expect(tokenIn(text)).toBe('');
});

test.each([
  [{ name: '', days: '30', action: 'request:Read' }, 422, 'Give the token a name.'],
  [{ name: 'x', days: '30' }, 422, 'Choose at least one scope.'],
  [{ name: 'x', days: '30', action: 'everything:All' }, 422, 'Choose at least one scope.'],
  [{ name: 'x', days: '100000', action: 'request:Read' }, 400, 'incomplete'],
  [{ name: 'x'.repeat(81), days: '30', action: 'request:Read' }, 400, 'incomplete'],
])('the form %j is refused', async (fields, status, message) => {
  const { browser } = await seed();
  const response = await createToken(browser, fields);
  expect(response.status).toBe(status);
  expect(response.text).toContain(message);
  expect(tokenIn(response.text)).toBe('');
});

test('names of tokens are unique per person, and the typed form is kept', async () => {
  const { browser } = await seed();
  const fields = { name: 'Twice <b>', days: '90', action: 'request:Read' };
  expect((await createToken(browser, fields)).status).toBe(201);
  const again = await createToken(browser, fields);
  expect(again.status).toBe(422);
  expect(again.text).toContain('already have a token');
  expect(again.text).toContain('value="Twice &lt;b&gt;"');
});

test('reloading the page with the new token creates no second one and says so', async () => {
  const { person, browser } = await seed();
  const page = await browser.get('/oauth/profile');
  const form_id = /name="form_id" value="([\w-]+)"/.exec(page.text)?.[1];
  const fields = { form_token: formTokenIn(page), form_id, name: 'Nightly', days: '30', action: 'request:Read' };
  const send = () => browser.post('/oauth/profile/personal-access-tokens').type('form').send(fields);
  const first = await send().expect(201);
  expect(first.text).toMatch(/role="status" tabindex="-1" autofocus><p><strong>Nightly/);
  const again = await send().expect(303);
  expect(locationOf(again)).toBe('/oauth/profile?done=sent-before');
  expect((await browser.get(locationOf(again))).text).toContain('nothing was created a second time');
  expect(await auth.connection.collection('personal_access_tokens').countDocuments({ personId: person.id })).toBe(1);
});

test('revoking asks for confirmation and says what it does', async () => {
  const { person, browser } = await seed();
  await obtainCode(browser, await seedApplication(auth, person.accountId));
  await createToken(browser, { name: 'Mine', days: '7', action: 'request:Read' });
  const { text } = await browser.get('/oauth/profile');
  const asked = [...text.matchAll(/<details class="confirm"><summary[^>]*>Revoke.*?<\/details>/gs)].map(([all]) => all);
  expect(asked).toHaveLength(2);
  for (const one of asked) expect(one).toMatch(/at once\..*<button class="danger">Yes, revoke/s);
  expect(text.match(/\/revoke"/g)).toHaveLength(2);
});

test('people neither see nor revoke what belongs to others', async () => {
  const { person, browser } = await seed();
  const application = await seedApplication(auth, person.accountId);
  await obtainCode(browser, application);
  const token = tokenIn((await createToken(browser, { name: 'Mine', days: '7', action: 'request:Read' })).text);
  const [authorization, personal] = [
    ...(await browser.get('/oauth/profile')).text.matchAll(/action="(\/oauth\/profile\/[\w-]+\/[\w-]+\/revoke)"/g),
  ].map((match) => match[1] ?? '');

  for (const accountId of [person.accountId, undefined]) {
    const other = await openSignedIn(auth, await seedPerson(auth, accountId === undefined ? {} : { accountId }));
    const page = await other.get('/oauth/profile');
    expect(page.text).not.toContain('Mine');
    expect(page.text).not.toContain('Demo application');
    const form = { form_token: formTokenIn(page) };
    await other
      .post(authorization ?? '')
      .type('form')
      .send(form)
      .expect(404);
    await other
      .post(personal ?? '')
      .type('form')
      .send(form);
  }
  expect((await introspect(auth, token)).active).toBe(true);
  expect((await browser.get('/oauth/profile')).text).toContain('Demo application');
});

describe('tokens that are not valid are shown as such', () => {
  type Seeded = Awaited<ReturnType<typeof seedBoth>>;

  /** Creates a person with an application that acts for them, and with a personal access token. */
  async function seedBoth() {
    const { person, browser } = await seed();
    const application = await seedApplication(auth, person.accountId);
    const pair = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
    const personal = tokenIn((await createToken(browser, { name: 'Mine', days: '7', action: 'request:Read' })).text);
    return { person, browser, application, pair, personal };
  }
  const rowOf = async (browser: Browser, name: string): Promise<string> => {
    const { text } = await browser.get('/oauth/profile').expect(200);
    return new RegExp(`<h3>${name}</h3>.*?</li>`, 's').exec(text)?.[0].replace(/<[^>]*>/g, ' ') ?? '';
  };
  const again = 'It can get a new token without your consent until you revoke it.';
  const services = () => auth.app.services;

  test('valid tokens have no such notice', async () => {
    const { browser } = await seedBoth();
    for (const name of ['Demo application', 'Mine']) {
      expect(await rowOf(browser, name)).toContain('Revoke');
      expect(await rowOf(browser, name)).not.toMatch(/Not working|no token|without asking/);
    }
  });

  test.each<[string, (seeded: Seeded) => Promise<unknown>, boolean]>([
    [
      'The application is disabled',
      ({ person, application }) =>
        services().applications.update(person.accountId, everything, application.id, { disabled: true }),
      false,
    ],
    [
      'The application was disabled in the meantime',
      async ({ person, application }) => {
        await services().applications.update(person.accountId, everything, application.id, { disabled: true });
        await services().applications.update(person.accountId, everything, application.id, { disabled: false });
      },
      true,
    ],
    [
      'The token of the client is disabled',
      ({ person, application }) =>
        services().clientTokens.update(
          person.accountId,
          everything,
          { clientId: application.clientId },
          { disabled: true },
        ),
      true,
    ],
    [
      'The scopes of the application changed',
      ({ person, application }) =>
        services().applications.update(person.accountId, everything, application.id, {
          scopes: [{ effect: 'allow', actions: ['me:Name'] }],
        }),
      false,
    ],
  ])('an application: %s', async (why, act, mayAskAgain) => {
    const seeded = await seedBoth();
    await act(seeded);
    expect(await introspect(auth, seeded.pair.access_token)).toEqual({ active: false });
    const row = await rowOf(seeded.browser, 'Demo application');
    expect(row).toMatch(new RegExp(`Not working\\s+${why}\\.`));
    expect(row.includes(again)).toBe(mayAskAgain);
    expect(row).toContain('Revoke');
    expect(await rowOf(seeded.browser, 'Mine')).not.toContain('Not working');
  });

  test('a token that was revoked or has expired leaves an application without tokens', async () => {
    const { browser, application, pair } = await seedBoth();
    const client = { client_id: application.clientId, client_secret: application.clientSecret };
    await auth.http
      .post('/oauth/revoke')
      .type('form')
      .send({ ...client, token: pair.refresh_token })
      .expect(200);
    const row = await rowOf(browser, 'Demo application');
    expect(row).toContain('It has no valid token.');
    expect(row).toContain(again);
    expect(row).not.toContain('Not working');
    await redeem(auth, application, await obtainCode(browser, application)).expect(200);
    expect(await rowOf(browser, 'Demo application')).not.toContain('It has no valid token');
  });

  test('after a person was disabled and enabled, old tokens are invalid and a new one works', async () => {
    const { person, application, pair, personal } = await seedBoth();
    await services().persons.disable(person.accountId, person.id);
    await auth.app.operator.ensurePerson({
      accountId: person.accountId,
      name: 'Ellen Brown',
      primaryEmail: person.email,
      password: person.password,
      roles: [],
    });
    auth.clock.offset += 1_000;
    const browser = await openSignedIn(auth, person);
    for (const token of [pair.access_token, personal]) expect(await introspect(auth, token)).toEqual({ active: false });
    for (const name of ['Demo application', 'Mine']) {
      expect(await rowOf(browser, name)).toMatch(/Not working\s+The person was disabled in the meantime\./);
    }
    await createToken(browser, { name: 'New', days: '7', action: 'request:Read' });
    expect(await rowOf(browser, 'New')).not.toContain('Not working');
    await redeem(auth, application, await obtainCode(browser, application)).expect(200);
    expect(await rowOf(browser, 'Demo application')).not.toContain('Not working');
  });

  test('an account that was disabled in between, and a token that has expired', async () => {
    const { person } = await seedBoth();
    await auth.app.operator.setAccountDisabled(person.accountId, true);
    await auth.app.operator.setAccountDisabled(person.accountId, false);
    auth.clock.offset += 1_000;
    const browser = await openSignedIn(auth, person);
    for (const name of ['Demo application', 'Mine']) {
      expect(await rowOf(browser, name)).toMatch(/Not working\s+The account was disabled in the meantime\./);
    }
    await createToken(browser, { name: 'Short', days: '7', action: 'request:Read' });
    const expiresAt = new Date(auth.now().getTime() - 1000);
    await auth.connection.collection('personal_access_tokens').updateOne({ name: 'Short' }, { $set: { expiresAt } });
    expect(await rowOf(browser, 'Short')).toMatch(/Not working\s+It has expired\..*Expired/s);
  });

  test('a person who has allowed the new scopes sees the application once, as valid', async () => {
    const { person, browser, application } = await seedBoth();
    const scopes = [{ effect: 'allow' as const, actions: ['me:Name'] }];
    await services().applications.update(person.accountId, everything, application.id, { scopes });
    auth.clock.offset += 1_000;
    await redeem(auth, application, await obtainCode(browser, application)).expect(200);
    const { text } = await browser.get('/oauth/profile');
    expect(text.split('<h3>Demo application</h3>')).toHaveLength(2);
    expect(await rowOf(browser, 'Demo application')).not.toMatch(/Not working|no token/);
  });
});

test('revoking takes an application off the list and needs the form token', async () => {
  const { person, browser } = await seed();
  await obtainCode(browser, await seedApplication(auth, person.accountId));
  const page = await browser.get('/oauth/profile');
  const address = revokeAddressIn(page.text);
  await browser.post(address).type('form').send({}).expect(403);
  await browser
    .post(address)
    .type('form')
    .send({ form_token: formTokenIn(page) })
    .expect(303);
  const after = await browser.get('/oauth/profile?revoked=application');
  expect(after.text).toContain('authorization is revoked');
  expect(after.text).not.toContain('<h3>Demo application');
  await browser
    .post(address)
    .type('form')
    .send({ form_token: formTokenIn(page) })
    .expect(303);
});

test('without a session people are sent to the sign-in page and nothing happens', async () => {
  for (const path of ['', '/personal-access-tokens', '/personal-access-tokens/1/revoke', '/authorizations/x/revoke']) {
    const browser = openBrowser(auth);
    const response = await (path === '' ? browser.get('/oauth/profile') : browser.post(`/oauth/profile${path}`));
    expect(response.status).toBe(303);
    expect(locationOf(response)).toBe('/oauth/sign-in?next=%2Foauth%2Fprofile');
  }
});

test('an unknown page is a page of its own', async () => {
  const response = await openBrowser(auth).get('/oauth/nothing').expect(404);
  expect(response.text).toContain('Not found');
  expect(response.headers).toHaveProperty('content-security-policy');
});

test('invalid ids and a malformed URL are refused without an internal error', async () => {
  const { browser } = await seed();
  const form = { form_token: formTokenIn(await browser.get('/oauth/profile')) };
  for (const id of ['NaN', '1e999', '%00', '-1']) {
    const { status } = await browser.post(`/oauth/profile/personal-access-tokens/${id}/revoke`).type('form').send(form);
    expect(status).toBeLessThan(500);
  }
  await browser.get('/oauth/consents/%E0%A4%A').expect(400);
});
