import { formTokenIn, locationOf, openBrowser, openSignedIn, signIn } from '../testing/browser';
import { introspect } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

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

const address = '/oauth/profile/personal-access-tokens';
const back = '/accounts/wdc/explorer?tab=2';
const link = `/oauth/profile?name=Open%20requests&days=90&action=request:Read&action=note:Read&return=${encodeURIComponent(back)}`;
const filledIn = 'has filled in this form';

async function seed() {
  const person = await seedPerson(auth);
  return { person, browser: await openSignedIn(auth, person) };
}

const tickedIn = (text: string): string[] =>
  [...text.matchAll(/name="action" value="([^"]+)" checked/g)].map(([, action = '']) => action);
const nameIn = (text: string): string => /id="name" type="text" name="name" value="([^"]*)"/.exec(text)?.[1] ?? '';
const returnIn = (text: string): string => /name="return" value="([^"]*)"/.exec(text)?.[1] ?? '';
const daysIn = (text: string): string => /<option value="(\d+)" selected>/.exec(text)?.[1] ?? '';
const tokens = (personId: number) => auth.connection.collection('personal_access_tokens').countDocuments({ personId });

test('a link fills in the form, creates nothing, and has a way back', async () => {
  const { person, browser } = await seed();
  const { text } = await browser.get(link).expect(200);
  expect([nameIn(text), daysIn(text), tickedIn(text), returnIn(text)]).toEqual([
    'Open requests',
    '90',
    ['request:Read', 'note:Read'],
    back,
  ]);
  expect(text).toContain(filledIn);
  expect(text).toContain(`<a href="${back}">`);
  expect(await tokens(person.id)).toBe(0);
  const form = { form_token: formTokenIn(await browser.get(link)), name: 'Open requests', days: '90' };
  const created = await browser
    .post(address)
    .type('form')
    .send({ ...form, action: ['request:Read', 'note:Read'], return: back })
    .expect(201);
  expect(created.text).toContain(`<a href="${back}">`);
  const { claims } = await introspect(auth, /itsm_pat_\w+/.exec(created.text)?.[0] ?? '');
  expect(claims['scopes']).toEqual([{ effect: 'allow', actions: ['request:Read', 'note:Read'] }]);
});

test('the form is kept through sign-in, and through the step-up before the token is created', async () => {
  const person = await seedPerson(auth);
  const browser = openBrowser(auth);
  const asked = await browser.get(link).expect(303);
  const next = new URL(locationOf(asked), 'http://x').searchParams.get('next') ?? '';
  expect(next).toBe(link);
  const signedIn = await signIn(browser, person, next);
  expect(nameIn((await browser.get(locationOf(signedIn)).expect(200)).text)).toBe('Open requests');
  auth.clock.offset = 45 * 60_000;
  const form = { form_token: formTokenIn(await browser.get(link)), name: 'N', days: '7', action: 'note:Read' };
  const again = await browser
    .post(address)
    .type('form')
    .send({ ...form, return: back })
    .expect(200);
  expect(again.text).toContain('<h1>Sign in again</h1>');
  expect(returnIn(again.text)).toBe(back);
});

test('a form that is refused keeps the way back', async () => {
  const { browser } = await seed();
  const form = { form_token: formTokenIn(await browser.get(link)), name: '', days: '7', return: back };
  const refused = await browser.post(address).type('form').send(form).expect(422);
  expect(returnIn(refused.text)).toBe(back);
});

test.each([
  'https://evil.example/accounts/x',
  '//evil.example/accounts/x',
  '/\\evil.example/accounts/x',
  'javascript:alert(1)//accounts/',
  '/accounts/../oauth/sign-out',
  '/accounts/%2e%2e/oauth/sign-out',
  '/accounts/wdc\\..\\..\\oauth',
  '/oauth/profile',
  '/accounts',
  '/accounts/a b',
  `/accounts/${'x'.repeat(600)}`,
  '',
])('it does not lead back to %s', async (given) => {
  const { browser } = await seed();
  const { text } = await browser.get('/oauth/profile').query({ name: 'N', return: given }).expect(200);
  expect(returnIn(text)).toBe('');
  expect(text).not.toContain('previous page</a>');
  const form = { form_token: formTokenIn(await browser.get('/oauth/profile')), name: '', days: '7', return: given };
  const refused = await browser.post(address).type('form').send(form);
  expect(refused.text).not.toContain('previous page</a>');
});

test.each([
  ['a name that is too long', `name=${'x'.repeat(81)}&action=request:Read`],
  ['two names', 'name=a&name=b&action=request:Read'],
  ['another lifetime', 'name=a&days=100000&action=request:Read'],
])('with %s the form stays empty', async (_what, query) => {
  const { browser } = await seed();
  const { text } = await browser.get(`/oauth/profile?${query}`).expect(200);
  expect([nameIn(text), tickedIn(text), daysIn(text)]).toEqual(['', [], '30']);
  expect(text).not.toContain(filledIn);
});

test('actions without a box are left out, and markup stays text', async () => {
  const { browser } = await seed();
  const query = new URLSearchParams({ name: '"><script>x</script>', return: '/accounts/"><script>' });
  for (const action of ['request:Read', 'nonsense:Read', '"><script>']) query.append('action', action);
  const { text } = await browser.get(`/oauth/profile?${query.toString()}`).expect(200);
  expect(tickedIn(text)).toEqual(['request:Read']);
  expect(text).not.toContain('<script>');
});
