import type { Response } from 'supertest';
import { formTokenIn, locationOf, obtainCode, openBrowser, openSignedIn, signIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { introspect, pairIn, redeem } from '../testing/client';
import { makeKey } from '../testing/local-provider';
import { callback, seedApplication, seedPerson, startStore } from '../testing/start-auth';
import type { Auth } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const home = '/oauth/administration/applications';
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

const form = { name: 'Reporting', grantType: ['authorization_code', 'refresh_token'], redirectUris: callback };
const create = (browser: Browser, more: object = {}) =>
  submit(browser, `${home}/new`, home, { ...form, action: ['me:Name', 'request:Read'], ...more });
const addressIn = (response: Response): string => locationOf(response).split('?')[0] ?? '';
const secretIn = ({ text }: Response): string => /itsm_cs_\w+/.exec(text)?.[0] ?? '';
const clientIdIn = ({ text }: Response): string => /\b[0-9a-f]{32}\b/.exec(text)?.[0] ?? '';

test('an application is made, shown, listed and edited', async () => {
  const { browser } = await seed();
  const created = await create(browser, { description: 'Nightly <figures>', rules: 'deny request:Delete in wdc' });
  expect(created.status).toBe(303);
  const address = addressIn(created);
  expect(address).toMatch(/^\/oauth\/administration\/applications\/\d+$/);
  const page = await browser.get(locationOf(created)).expect(200);
  expect(page.text).toContain('Add a client token to use it.');
  expect(page.text).toContain('Nightly &lt;figures&gt;');
  expect(page.text).toContain('See your own name and details and requests');
  expect(page.text).toContain('Never: Delete requests (only in wdc)');
  expect((await browser.get(home).expect(200)).text).toContain(`<a href="${address}">Reporting</a>`);

  const edit = await browser.get(`${address}/edit`).expect(200);
  expect(edit.text).toContain('value="request:Read" checked');
  expect(edit.text).toContain('>deny request:Delete in wdc</textarea>');
  const changed = { ...form, name: 'Renamed', action: 'me:Name', pkceRequired: 'yes' };
  const saved = await submit(browser, `${address}/edit`, address, changed);
  expect(locationOf(saved)).toBe(`${address}?done=saved`);
  const after = await browser.get(locationOf(saved));
  expect(after.text).toContain('Your changes are saved.');
  expect(after.text).not.toContain('Never:');
});

test('public keys are registered on the page, shown again, and refused with an error at their field', async () => {
  const { browser } = await seed();
  const { jwk } = await makeKey('ES256');
  const jwks = JSON.stringify({ keys: [jwk] });
  const made = await create(browser, { jwks, privateKeyJwtRequired: 'yes' });
  expect(made.status).toBe(303);
  const page = await browser.get(locationOf(made)).expect(200);
  expect(page.text).toContain(`EC P-256 · ${jwk.kid}`);
  expect(page.text).toContain('Refused: clients authenticate with their keys');
  const edit = await browser.get(`${addressIn(made)}/edit`);
  const shown = /<textarea id="jwks"[^>]*>([^<]*)</.exec(edit.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
  expect(JSON.parse(shown)).toEqual({ keys: [jwk] });
  const wrong = await create(browser, { name: 'Private', jwks: JSON.stringify({ keys: [{ ...jwk, d: 'x' }] }) });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toMatch(/<a href="#jwks">Keys must be public/);
  expect(wrong.text).toMatch(/<textarea id="jwks"[^>]* aria-invalid="true"/);
  const none = await create(browser, { name: 'None', privateKeyJwtRequired: 'yes' });
  expect(none.text).toMatch(/<a href="#privateKeyJwtRequired">Without keys/);
});

test('saving the form unchanged changes nothing, so no token ends', async () => {
  const { person, browser } = await seed();
  const application = await seedApplication(auth, person.accountId, {
    scopes: [
      { effect: 'allow', actions: ['person:Read', 'me:All', 'request:Update', 'request:Read'] },
      { effect: 'deny', actions: ['*:Delete'], account: 'wdc' },
    ],
  });
  const { access_token } = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const address = `${home}/${application.id}`;
  const { text } = await browser.get(`${address}/edit`);
  const ticked = [...text.matchAll(/name="action" value="([^"]+)" checked/g)].map(([, action]) => action);
  const rules = />([^<]*)<\/textarea>\s*<p id="rules-hint"/.exec(text)?.[1];
  const same = { ...form, name: 'Demo application', description: 'Other', action: ticked, rules };
  expect(locationOf(await submit(browser, `${address}/edit`, address, same))).toBe(`${address}?done=saved`);
  expect(await introspect(auth, access_token)).toMatchObject({ active: true });
  const other = { ...same, action: ['person:Read'] };
  expect((await submit(browser, `${address}/edit`, address, other)).status).toBe(303);
  expect(await introspect(auth, access_token)).toEqual({ active: false });
});

test.each([
  [{ name: '' }, 'Name is required'],
  [{ name: 'x'.repeat(81) }, 'Name is too long (at most 80 characters)'],
  [{ redirectUris: 'http://a.example/cb' }, 'Redirect URI must be https'],
  [{ redirectUris: '' }, 'A redirect URI is required for the authorization code grant'],
  [{ grantType: [] }, 'At least one grant type is required'],
  [{ grantType: 'client_credentials', actsAs: 'nobody@example.com' }, 'Person was not found'],
  [{ ssoConfigurationId: '4711' }, 'SSO configuration was not found'],
  [{ ssoConfigurationId: 'x' }, 'SSO configuration was not found'],
  [{ action: [], rules: '' }, 'At least one scope is required'],
  [{ rules: 'permit everything' }, 'This rule is malformed: permit everything'],
])('the form with %j is shown again with what is wrong', async (more, problem) => {
  const { browser } = await seed();
  const refused = await create(browser, { description: 'Kept <b>', ...more });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(problem);
  expect(refused.text).toContain('Kept &lt;b&gt;');
  expect((await browser.get(home)).text).toContain('There are no applications yet.');
});

test('the form for a client token is carried out once, however often it is sent', async () => {
  const { browser } = await seed();
  const address = addressIn(await create(browser));
  const page = await browser.get(address);
  const form = { form_token: formTokenIn(page), form_id: /name="form_id" value="([\w-]+)"/.exec(page.text)?.[1] };
  const send = () => browser.post(`${address}/tokens`).type('form').send(form);
  const answers = await Promise.all([send(), send(), send()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 303, 303]);
  const again = await send().expect(303);
  const back = await browser.get(locationOf(again));
  expect(back.text).toContain('This form was sent before');
  expect(back.text.match(/\/tokens\/[0-9a-f]{32}\/delete/g)).toHaveLength(1);
  expect((await submit(browser, address, `${address}/tokens`)).status).toBe(201);
});

test('the secret of a client token is shown once and works; each token is disabled alone', async () => {
  const { person, browser } = await seed();
  const address = addressIn(await create(browser));
  const first = await submit(browser, address, `${address}/tokens`);
  expect(first.status).toBe(201);
  const one = { id: 0, clientId: clientIdIn(first), clientSecret: secretIn(first) };
  const second = await submit(browser, address, `${address}/tokens`);
  const [, otherId = ''] = /Client id<\/dt><dd><code[^>]*>([0-9a-f]{32})/.exec(second.text) ?? [];
  const other = { id: 0, clientId: otherId, clientSecret: secretIn(second) };
  expect(one.clientSecret).not.toBe(other.clientSecret);
  expect(secretIn(await browser.get(address))).toBe('');

  const visitor = await openSignedIn(auth, person);
  const tokenOf = async (client: typeof one) =>
    pairIn(await redeem(auth, client, await obtainCode(visitor, client)).expect(200)).access_token;
  const [ofOne, ofOther] = [await tokenOf(one), await tokenOf(other)];
  const areActive = async () => [(await introspect(auth, ofOne)).active, (await introspect(auth, ofOther)).active];
  expect(await areActive()).toEqual([true, true]);

  const disable = `${address}/tokens/${one.clientId}/disable`;
  expect((await browser.get(disable).expect(200)).text).toContain('Disable the client token?');
  expect(await areActive()).toEqual([true, true]);
  expect(locationOf(await submit(browser, disable, disable))).toBe(`${address}?done=token-disabled`);
  expect(await areActive()).toEqual([false, true]);

  const enable = `${address}/tokens/${one.clientId}/enable`;
  expect((await submit(browser, address, enable)).status).toBe(303);
  auth.clock.offset += 1_000;
  expect(await areActive()).toEqual([false, true]);
  expect((await introspect(auth, await tokenOf(one))).active).toBe(true);

  const remove = `${address}/tokens/${otherId}/delete`;
  expect(locationOf(await submit(browser, remove, remove))).toBe(`${address}?done=token-deleted`);
  expect(await areActive()).toEqual([false, false]);
  expect((await browser.get(address)).text).not.toContain(otherId);
});

test('disabling an application is confirmed first and ends its tokens; enabling it does not bring them back', async () => {
  const { person, browser } = await seed();
  const application = await seedApplication(auth, person.accountId);
  const { access_token } = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const address = `${home}/${application.id}`;
  expect((await browser.get(`${address}/disable`).expect(200)).text).toContain('Disable Demo application?');
  expect((await submit(browser, `${address}/disable`, `${address}/disable`)).status).toBe(303);
  expect(await introspect(auth, access_token)).toEqual({ active: false });
  expect((await browser.get(address)).text).toContain('<span class="badge">Disabled</span>');
  expect((await submit(browser, address, `${address}/enable`)).status).toBe(303);
  auth.clock.offset += 1_000;
  expect(await introspect(auth, access_token)).toEqual({ active: false });
  const again = pairIn(await redeem(auth, application, await obtainCode(browser, application)).expect(200));
  expect(await introspect(auth, again.access_token)).toMatchObject({ active: true });
});

test('SSO configurations are made, listed, edited and offered to applications', async () => {
  const { browser } = await seed();
  const fields = { name: 'Login', issuer: 'https://idp.example/', identifier: 'primary_email' };
  expect(locationOf(await submit(browser, `${sso}/new`, sso, fields))).toBe(`${sso}?done=saved`);
  const list = await browser.get(sso).expect(200);
  const [, address = ''] = /<a href="(\/oauth\/administration\/sso-configurations\/\d+)">Login/.exec(list.text) ?? [];
  const changed = { ...fields, name: 'Renamed', identifier: 'authentication_id', disabled: 'yes' };
  expect((await submit(browser, address, address, changed)).status).toBe(303);
  const after = await browser.get(address).expect(200);
  expect(after.text).toContain('value="Renamed"');
  expect(after.text).toContain('value="authentication_id" selected');
  expect(after.text).toContain('value="yes" checked');
  expect((await browser.get(`${home}/new`)).text).toContain('>Renamed</option>');

  const refused = await submit(browser, `${sso}/new`, sso, { ...fields, issuer: 'http://idp.example' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('value="http://idp.example"');
  expect((await submit(browser, `${sso}/new`, sso, { ...fields, identifier: 'x' })).status).toBe(400);
});

test('signing in for these pages leads back to them', async () => {
  const person = await seedPerson(auth);
  expect(locationOf(await signIn(openBrowser(auth), person, home))).toBe(home);
  const deep = `${home}/4711/edit`;
  const browser = openBrowser(auth);
  const asked = locationOf(await browser.get(deep));
  expect((await browser.get(asked)).text).toContain('to continue');
  expect(locationOf(await signIn(browser, person, new URL(asked, 'http://x').searchParams.get('next') ?? ''))).toBe(
    deep,
  );
  expect(locationOf(await signIn(openBrowser(auth), person, '/oauth/administrationx'))).toBe('/oauth/profile');
});

test('another account finds nothing and changes nothing', async () => {
  const { person, browser } = await seed();
  const application = await seedApplication(auth, person.accountId);
  const own = `${home}/${application.id}`;
  const { browser: stranger } = await seed();
  const token = `${own}/tokens/${application.clientId}`;
  for (const page of [own, `${own}/edit`, `${own}/disable`, `${token}/disable`, `${token}/delete`]) {
    await stranger.get(page).expect(404);
  }
  const changes = [
    own,
    `${own}/disable`,
    `${own}/enable`,
    `${own}/tokens`,
    ...['disable', 'enable', 'delete'].map((what) => `${token}/${what}`),
  ];
  for (const action of changes) {
    expect((await submit(stranger, `${home}/new`, action, { ...form, action: 'me:Name' })).status).toBe(404);
  }
  expect((await stranger.get(home)).text).toContain('There are no applications yet.');
  expect((await browser.get(own)).text).toContain(application.clientId);
});

test('forms of other sites and sessions do nothing', async () => {
  const { browser } = await seed();
  const { browser: other } = await seed();
  const foreign = formTokenIn(await other.get(`${home}/new`));
  for (const fields of [form, { ...form, form_token: foreign }, { ...form, form_token: ['a', 'b'] }]) {
    await browser.post(home).type('form').send(fields).expect(403);
  }
  const form_token = formTokenIn(await browser.get(`${home}/new`));
  await browser
    .post(home)
    .set('Sec-Fetch-Site', 'cross-site')
    .type('form')
    .send({ ...form, form_token })
    .expect(403);
  expect((await browser.get(home)).text).toContain('There are no applications yet.');
});

test('addresses that lead nowhere are not found, and other methods not allowed', async () => {
  const { browser } = await seed();
  for (const page of [`${home}/987654`, `${home}/x`, `${home}/1e3`, `${sso}/987654`, `${sso}/x`]) {
    await browser.get(page).expect(404);
  }
  await browser.put(home).expect(405);
  await browser.delete(`${home}/1`).expect(405);
});

test('the pages link to console and profile, run no script, and are not framed or cached', async () => {
  const { browser } = await seed();
  const address = addressIn(await create(browser));
  const created = await submit(browser, address, `${address}/tokens`);
  expect(created.headers).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /default-src 'none'.*frame-ancestors 'none'; form-action 'self'$/,
    ) as string,
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
  });
  expect(created.text).not.toMatch(/<script|style="| on\w+="/);
  expect(created.text).toMatch(/<a class="brand" href="\/">[^]*<a class="who" href="\/oauth\/profile">/);
});

test('a malicious form is refused without an internal error', async () => {
  const { browser } = await seed();
  const form_token = formTokenIn(await browser.get(`${home}/new`));
  const twice = `form_token=${form_token}&name=a&name=b`;
  await browser.post(home).type('form').send(twice).expect(400);
  await browser
    .post(home)
    .type('form')
    .send(`form_token=${form_token}&name=${'a'.repeat(40_000)}`)
    .expect(413);
  await browser.post(home).type('form').send(`form_token=${form_token}&name[$ne]=x`).expect(422);
  expect(auth.log.filter((line) => line.includes('page failed'))).toEqual([]);
});

test('an application has at most ten client tokens, also for concurrent forms', async () => {
  const { browser } = await seed();
  const address = addressIn(await create(browser));
  const form_token = formTokenIn(await browser.get(address));
  const made = await Promise.all(
    Array.from({ length: 12 }, () => browser.post(`${address}/tokens`).type('form').send({ form_token })),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(201), 422, 422]);
});
