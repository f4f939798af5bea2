import type { Response } from 'supertest';
import { formTokenIn, locationOf, openBrowser, openSignedIn, signIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { consoleSettings } from '../testing/console';
import { seedPerson, startStore } from '../testing/start-auth';
import type { Auth } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const applications = '/oauth/administration/applications';
const sso = '/oauth/administration/sso-configurations';

async function seed() {
  const person = await seedPerson(auth);
  return { person, browser: await openSignedIn(auth, person) };
}

/** Sends a form of `page` as the browser does. */
async function submit(browser: Browser, page: string, action: string, fields: object = {}): Promise<Response> {
  const form_token = formTokenIn(await browser.get(page));
  return browser
    .post(action)
    .type('form')
    .send({ form_token, ...fields });
}

const form = { name: 'Login', issuer: 'https://idp.example/', identifier: 'primary_email' };
const create = (browser: Browser, more: object = {}) => submit(browser, `${sso}/new`, sso, { ...form, ...more });

/** The address of the only configuration. */
const addressIn = ({ text }: Response): string =>
  /<a href="(\/oauth\/administration\/sso-configurations\/\d+)">/.exec(text)?.[1] ?? '';

test.each([
  ['', '/applications'],
  ['/new', '/applications/new'],
  ['/17', '/applications/17'],
  ['/17/edit?x=1', '/applications/17/edit'],
  ['/17/tokens/ab/delete', '/applications/17'],
  ['//evil.test', '/applications'],
])('the former page of applications at %j is in the console', async (page, there) => {
  const withConsole = await store.start({ settings: consoleSettings });
  const person = await seedPerson(withConsole);
  const asked = await openBrowser(withConsole).get(`${applications}${page}`);
  expect(locationOf(asked)).toMatch(/^\/oauth\/sign-in\?next=/);
  const browser = await openSignedIn(withConsole, person);
  const led = await browser.get(`${applications}${page}`);
  expect([led.status, locationOf(led)]).toEqual([302, `/accounts/${person.accountId}${there}`]);
  await browser.post(`${applications}${page}`).expect(405);
});

test('without a console the page says that applications are administered with the API', async () => {
  const { browser } = await seed();
  for (const page of [applications, `${applications}/17`])
    expect((await browser.get(page).expect(200)).text).toContain('<code>/v1/oauth_applications</code>');
});

test('SSO configurations are made, listed and edited', async () => {
  const { browser } = await seed();
  expect(locationOf(await create(browser))).toBe(`${sso}?done=saved`);
  const address = addressIn(await browser.get(sso).expect(200));
  const changed = { ...form, name: 'Renamed', identifier: 'authentication_id', disabled: 'yes' };
  expect((await submit(browser, address, address, changed)).status).toBe(303);
  const after = await browser.get(address).expect(200);
  expect(after.text).toContain('value="Renamed"');
  expect(after.text).toContain('value="authentication_id" selected');
  expect(after.text).toContain('value="yes" checked');

  const refused = await create(browser, { issuer: 'http://idp.example' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('value="http://idp.example"');
  expect((await create(browser, { identifier: 'x' })).status).toBe(400);
});

test('check boxes of an SSO configuration follow from its declaration: new ones have the defaults, others what was saved', async () => {
  const { browser } = await seed();
  const boxes = async (page: string) =>
    [...(await browser.get(page).expect(200)).text.matchAll(/name="(\w+)" value="yes"( checked)?/g)].map(
      ([, name, checked]) => [name, checked !== undefined],
    );
  expect(await boxes(`${sso}/new`)).toContainEqual(['emailVerifiedRequired', true]);
  await create(browser);
  const address = addressIn(await browser.get(sso));
  expect(await boxes(address)).toContainEqual(['emailVerifiedRequired', false]);
  await submit(browser, address, address, { ...form, emailVerifiedRequired: 'yes' });
  expect(await boxes(address)).toContainEqual(['emailVerifiedRequired', true]);
});

test('signing in for these pages leads back to them', async () => {
  const person = await seedPerson(auth);
  expect(locationOf(await signIn(openBrowser(auth), person, sso))).toBe(sso);
  const deep = `${sso}/4711/test`;
  const browser = openBrowser(auth);
  const asked = locationOf(await browser.get(deep));
  expect((await browser.get(asked)).text).toContain('to continue');
  expect(locationOf(await signIn(browser, person, new URL(asked, 'http://x').searchParams.get('next') ?? ''))).toBe(
    deep,
  );
  expect(locationOf(await signIn(openBrowser(auth), person, '/oauth/administrationx'))).toBe('/oauth/profile');
});

test('another account finds nothing and changes nothing', async () => {
  const { browser } = await seed();
  await create(browser);
  const own = addressIn(await browser.get(sso));
  const { browser: stranger } = await seed();
  for (const page of [own, `${own}/test`]) await stranger.get(page).expect(404);
  expect((await submit(stranger, `${sso}/new`, own, form)).status).toBe(404);
  expect((await stranger.get(sso)).text).toContain('There are no SSO configurations yet.');
  expect((await browser.get(own)).text).toContain('value="Login"');
});

test('forms of other sites and sessions do nothing', async () => {
  const { browser } = await seed();
  const { browser: other } = await seed();
  const foreign = formTokenIn(await other.get(`${sso}/new`));
  for (const fields of [form, { ...form, form_token: foreign }, { ...form, form_token: ['a', 'b'] }]) {
    await browser.post(sso).type('form').send(fields).expect(403);
  }
  const form_token = formTokenIn(await browser.get(`${sso}/new`));
  await browser
    .post(sso)
    .set('Sec-Fetch-Site', 'cross-site')
    .type('form')
    .send({ ...form, form_token })
    .expect(403);
  expect((await browser.get(sso)).text).toContain('There are no SSO configurations yet.');
});

test('addresses that lead nowhere are not found, and other methods not allowed', async () => {
  const { browser } = await seed();
  for (const page of [`${sso}/987654`, `${sso}/x`, `${sso}/1e3`]) await browser.get(page).expect(404);
  await browser.put(sso).expect(405);
  await browser.delete(`${sso}/1`).expect(405);
});

test('the pages link to console and profile, and run no script', async () => {
  const { browser } = await seed();
  const { text } = await browser.get(`${sso}/new`).expect(200);
  expect(text).not.toMatch(/<script|style="| on\w+="/);
  expect(text).toMatch(/<a class="brand" href="\/">[^]*<a class="who" href="\/oauth\/profile">/);
});

test('a malicious form is refused without an internal error', async () => {
  const { browser } = await seed();
  const form_token = formTokenIn(await browser.get(`${sso}/new`));
  const send = (fields: string) => browser.post(sso).type('form').send(`form_token=${form_token}&${fields}`);
  await send('identifier=primary_email&name=a&name=b').expect(400);
  await send(`name=${'a'.repeat(40_000)}`).expect(413);
  await send('identifier=primary_email&name[$ne]=x').expect(422);
  expect(auth.log.filter((line) => line.includes('page failed'))).toEqual([]);
});
