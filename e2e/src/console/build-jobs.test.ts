import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes } from '../oauth/testing/waits';
import { patiently } from '../patiently';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';
import { stepsByKeyboard, stepsByMouse } from './testing/steps';

const run = promisify(execFile);

/** The redirect address of the tests' application. Nothing listens there: the test intercepts the request. */
const callback = 'http://127.0.0.1:5000/callback';
const copying = { permissions: ['clipboard-read', 'clipboard-write'] };

const hands = [
  { hand: 'mouse', stepsOf: stepsByMouse },
  { hand: 'keyboard', stepsOf: stepsByKeyboard },
] as const;

const screenLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true });

/** Pages of the console have no permission to read the clipboard; this opens a page of the application, which has. */
async function openCallback(context: BrowserContext): Promise<Page> {
  await context.route(`${callback}*`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Back</h1>' }));
  const tab = await context.newPage();
  await tab.goto(callback);
  return tab;
}
const readClipboard = (tab: Page): Promise<string> => tab.evaluate(() => navigator.clipboard.readText());

withChromium('the jobs of who builds on the platform, in few steps', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
    for (const { hand } of hands)
      await scene.administrator.post('/v1/webhook_policies', { name: `by-${hand}`, jwt_alg: 'es256' });
  });
  afterAll(() => scene.close());

  test.each(hands)('a query is priced before it is sent: at most 2 steps by $hand', async ({ stepsOf }) => {
    const visit = await scene.enter('administrator');
    const { page } = visit;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    const steps = stepsOf(page);
    await steps.click(screenLink(page, 'Explorer'));
    const price = page.getByRole('region', { name: 'Price' });
    // The price of the initial query, which shows that the schema is loaded.
    await comes(price.getByText('500,000'));
    await steps.fill(
      page.getByRole('textbox', { name: 'Query' }),
      '{ workflows(first: 100) { nodes { requests(first: 10) { nodes { notes(last: 5) { totalCount } } } } } }',
    );
    await comes(price.getByText('6,100'));
    expect(await price.innerText()).toMatch(/^points\s+11\s/);
    expect(sent.filter((body) => body.includes('workflows('))).toEqual([]);
    expect(steps.count).toBeLessThanOrEqual(2);
    await visit.close();
  });

  test.each(hands)(
    'an application with PKCE and its token call: at most 8 steps by $hand',
    async ({ hand, stepsOf }) => {
      const visit = await scene.enter('administrator', '', copying);
      const { page, context } = visit;
      const steps = stepsOf(page);
      await steps.click(screenLink(page, 'Applications'));
      await steps.click(page.getByRole('link', { name: 'New application' }).first());
      await steps.fill(page.getByLabel('Name', { exact: true }), `Shop by ${hand}`);
      await steps.fill(page.getByLabel('Redirect URIs'), callback);
      await steps.click(page.getByRole('button', { name: 'Read requests' }));
      await steps.click(page.getByRole('button', { name: 'Create application' }));
      await comes(page.getByRole('heading', { level: 1, name: `Shop by ${hand}` }));
      await steps.click(page.getByRole('button', { name: 'Copy the token call' }));
      await comes(page.getByRole('button', { name: 'Copied the token call' }));
      expect(steps.count).toBeLessThanOrEqual(8);

      const authorizeAddress = await page.getByRole('region', { name: 'the authorize address' }).innerText();
      expect(new URL(authorizeAddress).searchParams.get('code_challenge_method')).toBe('S256');
      const firstCall = await page.getByRole('region', { name: 'the first call' }).innerText();
      const tab = await openCallback(context);
      const tokenCall = await readClipboard(tab);
      await tab.goto(authorizeAddress);
      await tab.getByRole('button', { name: 'Authorize', exact: true }).click();
      await tab.waitForURL(`${callback}?*`);
      const CODE = new URL(tab.url()).searchParams.get('code') ?? '';
      const script = `${tokenCall}\n${firstCall}`;
      const { stdout } = await run('bash', ['-c', script], { env: { PATH: process.env['PATH'], CODE } });
      const [token = '', answer = ''] = stdout.split('\n');
      expect(JSON.parse(token)).toMatchObject({ token_type: 'bearer' });
      expect(JSON.parse(answer)).toMatchObject({
        data: { me: { name: scene.platform.demo.accounts.wdc.administrator.name } },
      });
      await visit.close();
    },
  );

  test.each(hands)('a list stays open when its field is scrolled into view: by $hand', async ({ hand, stepsOf }) => {
    const visit = await scene.enter('administrator', '/applications/new', { viewport: { width: 1280, height: 480 } });
    const { page } = visit;
    const steps = stepsOf(page);
    await page.getByRole('radio', { name: 'Background service' }).check();
    const field = page.getByRole('combobox', { name: 'Acts as' });
    await comes(field);
    await page.evaluate(() => scrollTo(0, 0));
    // Keyboards reach the field, and the mouse clicks it: both scroll it into view.
    await (hand === 'mouse' ? steps.click(field) : steps.mark(field));
    const option = page.getByRole('option', { name: /^Howard/ }).first();
    await comes(option);
    await twoFrames(page);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await page.mouse.wheel(0, -20);
    await twoFrames(page);
    const list = await page.locator('.popover').boundingBox();
    const edge = await field.boundingBox();
    // Above or below its field, whichever has room, and at the same distance after the page was scrolled.
    const gap = Math.max((list?.y ?? 0) - ((edge?.y ?? 0) + (edge?.height ?? 0)), (edge?.y ?? 0) - bottomOf(list));
    expect(gap).toBeGreaterThanOrEqual(0);
    expect(gap).toBeLessThan(12);
    await option.click();
    expect(await field.inputValue()).toMatch(/^Howard/);
    await visit.close();
  });

  test.each(hands)('a token for the query on the screen: at most 4 steps by $hand', async ({ hand, stepsOf }) => {
    const query = `query By_${hand} { me { name } requests(first: 1) { nodes { id } } }`;
    const visit = await scene.enter('administrator', explorerAt(query), copying);
    const { page, context } = visit;
    const steps = stepsOf(page);
    await steps.click(page.getByRole('link', { name: 'Create a token for this' }));
    await steps.click(page.getByRole('button', { name: 'Create token' }));
    await steps.mark(page.getByRole('textbox', { name: 'Personal access token' }));
    await steps.press('ControlOrMeta+c');
    expect(steps.count).toBeLessThanOrEqual(4);

    const token = await readClipboard(await openCallback(context));
    const ask = async (text: string): Promise<unknown> => {
      const init = {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'X-Service-Account': 'wdc',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ query: text }),
      };
      const answer = await patiently(() => fetch(`${scene.platform.origin}/graphql`, init));
      return answer.json();
    };
    expect(await ask(query)).toMatchObject({ data: { requests: { nodes: [{}] } } });
    // The token has exactly the scopes of the query.
    expect(await ask('{ problems(first: 1) { nodes { id } } }')).toHaveProperty('errors');
    await visit.close();
  });

  test.each(hands)('the next signing key, and when it signs: at most 3 steps by $hand', async ({ hand, stepsOf }) => {
    const visit = await scene.enter('administrator');
    const { page } = visit;
    const steps = stepsOf(page);
    await steps.click(screenLink(page, 'Signing'));
    await steps.click(page.getByRole('button', { name: `Rotate key of by-${hand}` }));
    await steps.click(page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }));
    await comes(page.getByRole('heading', { level: 1, name: `by-${hand}` }));
    const waiting = page.getByRole('listitem').filter({ hasText: 'Waiting' });
    await comes(waiting.getByText('signs in 1 hr.'));
    await comes(page.getByRole('group', { name: /^The public key/ }));
    expect(steps.count).toBeLessThanOrEqual(3);
    await visit.close();
  });
});

/** A scroll reaches the page's scripts in the next frame. */
const twoFrames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
const bottomOf = (box: { readonly y: number; readonly height: number } | null): number =>
  (box?.y ?? 0) + (box?.height ?? 0);

const explorerAt = (query: string): string => `/explorer#query=${encodeURIComponent(query)}`;
