import type { Page, Route } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes, isPut } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';
import { optionOf } from './testing/steps';

const graphql = '**/console/graphql';
const session = '**/console/session';
const sentence = 'The platform is being updated. Try again in a minute.';

/** Adds a field to the document that the gateway does not know, as a newer release would. */
async function askForMore(route: Route): Promise<void> {
  const { query, variables } = route.request().postDataJSON() as { readonly query: string; readonly variables: object };
  await route.continue({
    postData: JSON.stringify({ query: query.replace(/\{\s*id\b/, '{ id fieldOfTheNextRelease'), variables }),
  });
}

withChromium('a new tab of the console before replicas of the release before', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  test('an old gateway without a queried field: the screen reports it, and recovers when the gateway is upgraded', async () => {
    const visit = await scene.enter('administrator');
    const { page } = visit;
    await page.route(graphql, askForMore);
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Signing', exact: true }).click();
    await comes(page.getByText(sentence));
    await comes(heading(page, 'Signing'));
    expect(await page.getByText('fieldOfTheNextRelease').count()).toBe(0);
    await page.unroute(graphql);
    await page.getByRole('button', { name: 'Try again' }).click();
    await comes(page.getByText('Nothing is signed yet.'));
    await visit.close();
  });

  test('an old gateway without a field of a mutation: nothing is written, and the form is kept', async () => {
    const visit = await scene.enter('administrator', '/webhooks/new');
    const { page } = visit;
    const uri = scene.receiver.uriOf('/old-replica');
    await page.waitForLoadState('networkidle');
    await page.getByRole('combobox', { name: 'Event' }).fill('request.create');
    await optionOf(page, 'request.create').click();
    await page.getByLabel('Address', { exact: true }).fill(uri);
    await page.route(graphql, askForMore);
    await page.getByRole('button', { name: 'Register' }).click();
    await comes(page.getByText(sentence));
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe(uri);
    const { webhooks } = await scene.administrator.graphql<{
      readonly webhooks: { readonly totalCount: number };
    }>('{ webhooks(first: 1) { totalCount } }', {});
    expect(webhooks.totalCount).toBe(0);
    await page.unroute(graphql);
    await page.getByRole('button', { name: 'Register' }).click();
    await comes(heading(page, 'request.create'));
    await visit.close();
  });

  test('a console server whose session lacks a member: a sentence replaces the frame', async () => {
    const visit = await scene.enter('administrator');
    const { page, complaints } = visit;
    await page.route(session, async (route) => {
      const answer = await route.fetch();
      const { accounts: _, ...older } = (await answer.json()) as { readonly accounts: unknown };
      await route.fulfill({ response: answer, json: older });
    });
    await page.reload();
    await comes(heading(page, 'This page could not be loaded'));
    await comes(page.getByText(sentence));
    await page.unroute(session);
    await page.getByRole('link', { name: 'Try again' }).click();
    await comes(heading(page, 'Hello, Ellen'));
    expect(complaints).toEqual([]);
    await visit.close();
  });

  test.each([
    ['script', '**/console/assets/**/main-*.js'],
    ['stylesheet', '**/console/assets/**/*.css'],
  ])(
    'a replica without the %s of the page: it is loaded again once by itself, then a sentence says so',
    async (part, files) => {
      const visit = await scene.enter('administrator');
      const { page } = visit;
      const loads: string[] = [];
      page.on('request', (request) => {
        if (request.isNavigationRequest()) loads.push(request.url());
      });
      await page.route(files, (route) => {
        // The first page is loaded again before another part of it is missing, too.
        if (loads.length === 1 && !/main-[^/]*$/.test(route.request().url())) return undefined;
        return route.fulfill({ status: 404, json: { message: 'Not Found' } });
      });
      const address = `${scene.platform.origin}/accounts/wdc/signing`;
      await page.goto(address);
      await comes(heading(page, 'The console could not be loaded'));
      // What began all the same goes on unseen, and must not load the page a third time.
      if (part === 'stylesheet') await isPut(page.locator('#root').getByText(/part of this page is missing/));
      expect(loads).toEqual([address, address]);
      await page.unroute(files);
      await page.getByRole('link', { name: 'Try again' }).click();
      await comes(heading(page, 'Signing'));
      await visit.close();
    },
  );

  test('a chunk that another replica has is shown at once on the second try', async () => {
    const visit = await scene.enter('administrator');
    const { page } = visit;
    await page.route('**/console/assets/**/main-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.goto(`${scene.platform.origin}/accounts/wdc/signing`);
    await comes(heading(page, 'Signing'));
    await visit.close();
  });
});
