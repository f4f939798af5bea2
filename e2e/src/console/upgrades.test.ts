import type { BrowserContext, Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { signIn, startScene } from './testing/scene';
import type { Scene } from './testing/scene';
import { optionOf } from './testing/steps';

withChromium('the console while it is replaced, and when a sign-in ends', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const address = (page: Page) => page.getByLabel('Address', { exact: true });
  const signedOut = (page: Page) => page.getByRole('dialog', { name: 'You are signed out' });
  const goTo = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }).click();

  /** Fills in the form of a new webhook without sending it. */
  async function fillIn(page: Page, name: string): Promise<string> {
    const uri = scene.receiver.uriOf(`/${name}`);
    // The list of events can be opened only when they are loaded, which the page does last.
    await page.waitForLoadState('networkidle');
    await page.getByRole('combobox', { name: 'Event' }).fill('request.create');
    await optionOf(page, 'request.create').click();
    await address(page).fill(uri);
    return uri;
  }
  /** Sends the form, and waits until the webhook is registered. */
  async function register(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Register' }).click();
    await comes(page.getByRole('heading', { level: 1, name: 'request.create' }));
  }
  /** In the same browser, on the page of the authorization server. */
  async function signOutAtProfile(context: BrowserContext): Promise<void> {
    const profile = await context.newPage();
    await profile.goto(`${scene.platform.origin}/oauth/profile`);
    await profile.getByRole('button', { name: 'Sign out', exact: true }).click();
    await comes(profile.getByLabel('Password'));
    await profile.close();
  }

  test('an old tab is notified of a newer release, goes on, and keeps its form across a reload', async () => {
    const visit = await scene.enter('administrator', '/webhooks/new');
    const { page } = visit;
    const bar = page.getByRole('status').filter({ hasText: 'A new version is available' });
    await comes(page.getByRole('heading', { level: 1, name: 'New webhook' }));
    const uri = await fillIn(page, 'old-tab');
    expect(await bar.count()).toBe(0);
    await page.route('**/console/graphql', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-console-build': 'newer' } });
    });
    await goTo(page, 'Webhooks');
    await comes(bar);
    await page.goBack();
    expect(await address(page).inputValue()).toBe(uri);
    await page.unroute('**/console/graphql');
    await bar.getByRole('button', { name: 'Reload' }).click();
    await goes(bar);
    expect(await address(page).inputValue()).toBe(uri);
    await register(page);
    await visit.close();
  });

  test('a missing chunk is requested again by one reload; then a sentence reports it', async () => {
    const visit = await scene.enter('administrator');
    const { page } = visit;
    let isGone = true;
    await page.route('**/assets/policy-list-*.js', (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    );
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname);
    });
    await goTo(page, 'Signing');
    await comes(page.getByRole('heading', { level: 1, name: 'A part of this page is missing' }));
    expect(loads).toEqual(['/accounts/wdc/signing']);
    await page.getByRole('link', { name: 'Try again' }).click();
    await comes(page.getByRole('heading', { level: 1, name: 'A part of this page is missing' }));
    expect(loads).toEqual(['/accounts/wdc/signing', '/accounts/wdc/signing']);
    isGone = false;
    await page.getByRole('link', { name: 'Try again' }).click();
    await comes(page.getByRole('heading', { level: 1, name: 'Signing' }));
    await visit.close();
  });

  test('a chunk that is back after the reload is shown', async () => {
    const visit = await scene.enter('administrator');
    const { page } = visit;
    await page.route('**/assets/policy-list-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await goTo(page, 'Signing');
    await comes(page.getByRole('heading', { level: 1, name: 'Signing' }));
    await visit.close();
  });

  test('without a network a screen that is not loaded yet says so, within the frame, and comes when there is one', async () => {
    const visit = await scene.enter('administrator');
    const { page, context } = visit;
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(request.url());
    });
    await context.setOffline(true);
    await goTo(page, 'Signing');
    await comes(page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }));
    await comes(page.getByText('You are offline.'));
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await comes(page.getByRole('heading', { level: 1, name: 'Signing' }));
    expect(loads).toEqual([]);
    await visit.close();
  });

  test('when the sign-in ends while a form is open, the draft is there after the next sign-in', async () => {
    const visit = await scene.enter('administrator', '/webhooks/new');
    const { page, context } = visit;
    const uri = await fillIn(page, 'signed-out');
    await signOutAtProfile(context);
    await page.getByRole('button', { name: 'Register' }).click();
    await comes(signedOut(page));
    expect(await address(page).inputValue()).toBe(uri);
    await signedOut(page).getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, scene.platform.demo.accounts.wdc.administrator);
    await page.waitForURL(`${scene.platform.origin}/accounts/wdc/webhooks/new`);
    await comes(page.getByRole('heading', { level: 1, name: 'New webhook' }));
    expect(await address(page).inputValue()).toBe(uri);
    await register(page);
    await visit.close();
  });

  test('two tabs notice the end of the session together, and one sign-in serves both', async () => {
    const visit = await scene.enter('administrator', '/webhooks/new');
    const { page, context } = visit;
    const other = await context.newPage();
    await other.goto(`${scene.platform.origin}/accounts/wdc/webhooks/new`);
    const uri = await fillIn(page, 'first-tab');
    const otherUri = await fillIn(other, 'second-tab');
    await signOutAtProfile(context);
    await page.getByRole('button', { name: 'Register' }).click();
    await Promise.all([signedOut(page).waitFor(), signedOut(other).waitFor()]);
    await signedOut(page).getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, scene.platform.demo.accounts.wdc.administrator);
    await goes(signedOut(other));
    await comes(address(page));
    expect([await address(page).inputValue(), await address(other).inputValue()]).toEqual([uri, otherUri]);
    await register(page);
    await register(other);
    await visit.close();
  });
});
