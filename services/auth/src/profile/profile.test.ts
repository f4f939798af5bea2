import { formTokenIn, locationOf, obtainCode, openBrowser, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { introspect } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

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
  [{ name: 'x', days: '30' }, 422, 'Choose what the token may do.'],
  [{ name: 'x', days: '30', action: 'everything:All' }, 422, 'Choose what the token may do.'],
  [{ name: 'x', days: '100000', action: 'request:Read' }, 400, 'incomplete'],
  [{ name: 'x'.repeat(81), days: '30', action: 'request:Read' }, 400, 'incomplete'],
])('the form %j is refused', async (fields, status, message) => {
  const { browser } = await seed();
  const response = await createToken(browser, fields);
  expect(response.status).toBe(status);
  expect(response.text).toContain(message);
  expect(tokenIn(response.text)).toBe('');
});

test('names of tokens are unique per person, and what was typed is kept', async () => {
  const { browser } = await seed();
  const fields = { name: 'Twice <b>', days: '90', action: 'request:Read' };
  expect((await createToken(browser, fields)).status).toBe(201);
  const again = await createToken(browser, fields);
  expect(again.status).toBe(422);
  expect(again.text).toContain('already have a token');
  expect(again.text).toContain('value="Twice &lt;b&gt;"');
});

test('nobody sees or revokes what belongs to somebody else', async () => {
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
  expect(after.text).toContain('can no longer act for you');
  expect(after.text).not.toContain('<h3>Demo application');
  await browser
    .post(address)
    .type('form')
    .send({ form_token: formTokenIn(page) })
    .expect(303);
});

test('whoever is not signed in is sent to the sign-in page and nothing happens', async () => {
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

test('odd ids and a malformed address are refused without a fault', async () => {
  const { browser } = await seed();
  const form = { form_token: formTokenIn(await browser.get('/oauth/profile')) };
  for (const id of ['NaN', '1e999', '%00', '-1']) {
    const { status } = await browser.post(`/oauth/profile/personal-access-tokens/${id}/revoke`).type('form').send(form);
    expect(status).toBeLessThan(500);
  }
  await browser.get('/oauth/consents/%E0%A4%A').expect(400);
});
