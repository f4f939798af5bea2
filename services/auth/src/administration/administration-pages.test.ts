import { locationOf, openBrowser, openSignedIn } from '../testing/browser';
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
const people = '/oauth/administration/people';
const account = '/oauth/administration/account';
const securityLog = '/oauth/administration/security-log';

const strictHeaders = {
  'content-security-policy': expect.stringMatching(
    /default-src 'none'.*frame-ancestors 'none'; form-action 'self'$/,
  ) as string,
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
};

async function openAs(role: 'account_administrator' | 'specialist') {
  return openSignedIn(auth, await seedPerson(auth, { roles: [role] }));
}

const ofSso = [sso, `${sso}/new`, `${sso}/1`, `${sso}/1/test`];
const pages = [applications, ...ofSso, people, account, securityLog];

/** The path patterns of all GET routes below `router`. */
const patternsOf = ({ stack }: { readonly stack: readonly Layer[] }): string[] =>
  stack.flatMap(({ route, handle }) => {
    if (route) return route.methods?.['get'] ? [route.path] : [];
    return 'stack' in handle ? patternsOf(handle as { stack: Layer[] }) : [];
  });

interface Layer {
  readonly route?: { readonly path: string; readonly methods?: Record<string, boolean> };
  readonly handle: object;
}

test('every page of the administration is in this list', () => {
  const served = patternsOf((auth.app.http as unknown as { router: { stack: Layer[] } }).router);
  const patterns = served.filter((path) => path.startsWith('/administration/'));
  expect(patterns.map((pattern) => `/oauth${pattern.replace('{/*rest}', '').replaceAll(/:\w+/g, '1')}`).sort()).toEqual(
    [...pages].sort(),
  );
});

test.each(pages)('%s is never cached or framed, and accepts no form from another site', async (page) => {
  const browser = await openAs('account_administrator');
  expect((await browser.get(page)).headers).toMatchObject(strictHeaders);
  const { status, headers } = await browser.post(page).type('form').send({ name: 'forged' });
  // Pages without a form accept no POST.
  expect([403, 405]).toContain(status);
  expect(headers).toMatchObject(strictHeaders);
});

test.each(pages)('%s is for administrators who have signed in', async (page) => {
  const stranger = openBrowser(auth);
  expect(locationOf(await stranger.get(page).expect(303))).toBe(`/oauth/sign-in?next=${encodeURIComponent(page)}`);
  const section = [sso, people, account, securityLog].find((start) => page.startsWith(start)) ?? applications;
  expect(locationOf(await stranger.post(page))).toBe(`/oauth/sign-in?next=${encodeURIComponent(section)}`);
  const browser = await openAs('specialist');
  expect((await browser.get(page).expect(403)).text).toMatch(/for administrators|Only administrators/);
  expect((await browser.get('/oauth/profile')).text).not.toContain('/oauth/administration');
});
