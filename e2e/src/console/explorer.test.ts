import type { Page } from 'playwright-core';
import { opensVisits, startChromium, withChromium } from '../oauth/testing/chromium';
import type { Chromium } from '../oauth/testing/chromium';
import { startPlatform } from '../oauth/testing/platform';
import type { Platform } from '../oauth/testing/platform';
import { comes } from '../oauth/testing/waits';

withChromium('the explorer and the page of a record', () => {
  let platform: Platform;
  let chromium: Chromium;

  beforeAll(async () => {
    [platform, chromium] = await Promise.all([startPlatform(), startChromium()]);
  });
  afterAll(async () => {
    await chromium.close();
    await platform.stop();
    await platform.remove();
  });
  const open = opensVisits(() => chromium);

  /** Opens a path as the administrator of the demo account; the sign-in returns to it. */
  async function visit(path: string): Promise<Page> {
    const { page } = await open();
    await enter(page, path);
    return page;
  }
  async function enter(page: Page, path: string): Promise<void> {
    await page.goto(`${platform.origin}/accounts/wdc${path}`);
    await signIn(page);
  }
  async function signIn(page: Page): Promise<void> {
    const { email, password } = platform.demo.accounts.wdc.administrator;
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${platform.origin}/accounts/wdc/**`);
  }
  const explorer = (query: string): string => `/explorer#query=${encodeURIComponent(query)}`;
  const price = (page: Page) => page.getByRole('region', { name: 'Price' });

  test('a query is priced before it is sent, and the answer reports the same cost', async () => {
    const page = await visit(
      explorer(
        '{ workflows(first: 100) { nodes { requests(first: 10) { nodes { notes(last: 5) { totalCount } } } } } }',
      ),
    );
    await comes(price(page).getByText('6,100'));
    expect(await price(page).innerText()).toMatch(/^points\s+11\s/);
    await page.keyboard.press('Control+Enter');
    await comes(page.getByText('11 points, as estimated'));
    await comes(page.getByText(/^[\d,]+ points and [\d,]+ requests left$/));
  });

  test('a browser that opens the address of the API comes to the explorer of its account', async () => {
    const { page } = await open();
    await page.goto(`${platform.origin}/graphql`);
    await signIn(page);
    expect(new URL(page.url()).pathname).toBe('/accounts/wdc/explorer');
    await comes(page.getByRole('textbox', { name: 'Query' }));
    await page.goto('about:blank');
    await page.goto(`${platform.origin}/graphql#query=${encodeURIComponent('{ me { id } }')}`);
    await page.waitForURL(`${platform.origin}/accounts/wdc/explorer**`);
    await comes(page.getByRole('textbox', { name: 'Query' }).getByText('me { id }'));
  });

  test('a refusal names the rule, and one press fixes the query', async () => {
    const page = await visit(explorer('{ requests { totalCount } }'));
    await comes(price(page).getByText('Every connection needs a page size'));
    await page.getByRole('button', { name: 'Set first: 100' }).click();
    await comes(price(page).getByText('point', { exact: true }));
    expect(await page.getByRole('textbox', { name: 'Query' }).innerText()).toContain('requests(first: 100)');
  });

  test('a mutation asks for confirmation, once', async () => {
    const page = await visit(explorer('mutation { requestCreate(input: { subject: "Once" }) { errors { path } } }'));
    await comes(price(page).getByText('point', { exact: true }));
    await page.getByRole('button', { name: 'Run' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run a mutation in wdc?' });
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await comes(page.getByText('1 point, as estimated'));
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('tab', { name: 'History' }).click();
    await comes(page.getByRole('button', { name: /^requestCreate .* point/ }));
    expect(await dialog.count()).toBe(0);
  });

  test('the scopes of the query prefill the form of a new token', async () => {
    const page = await visit(explorer('query Mine { me { name } requests(first: 1) { nodes { id } } }'));
    const link = page.getByRole('link', { name: 'Create a token for this' });
    await comes(link);
    const address = new URL((await link.getAttribute('href')) ?? '', platform.origin);
    expect(address.searchParams.getAll('action')).toEqual(['me:Name', 'request:Read']);
    expect(address.searchParams.get('name')).toBe('Mine');
    expect(address.hash).toBe('#new-token');
  });

  test('text typed over a selection, before and while the schema loads, is kept', async () => {
    const { page } = await open();
    let letSchemaCome = (): void => undefined;
    const isWanted = new Promise<void>((resolve) => {
      letSchemaCome = resolve;
    });
    await page.route('**/console/schema', async (route) => {
      await isWanted;
      await route.continue();
    });
    await enter(page, '/explorer');
    const editor = page.getByRole('textbox', { name: 'Query' });
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('query Typed { me { name ');
    letSchemaCome();
    // Slow enough that the typed text settles, and is written to the address, between two keys.
    await page.keyboard.type('} }', { delay: 400 });
    await comes(price(page).getByText('point', { exact: true }));
    expect(await editor.innerText()).toBe('query Typed { me { name } }');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+Shift+ArrowRight');
    await page.keyboard.type('query');
    expect(await editor.innerText()).toBe('query Typed { me { name } }');
  });

  test('a pasted token replaces the session, and is not stored', async () => {
    const page = await visit(explorer('{ me { name } }'));
    const token = platform.demo.accounts.wdc.end_user.personal_access_token;
    await page.getByText('Headers and token').click();
    await page.getByLabel('Token instead of your session').fill(token);
    const [call] = await Promise.all([
      page.waitForRequest(`${platform.origin}/graphql`),
      page.keyboard.press('Control+Enter'),
    ]);
    const sent = await call.allHeaders();
    expect(sent).toMatchObject({ authorization: `Bearer ${token}`, 'x-service-account': 'wdc' });
    expect(sent).not.toHaveProperty('cookie');
    await comes(page.getByRole('textbox', { name: 'Response' }).getByText('Grace'));
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
    expect(kept).toContain('me');
    expect(kept).not.toContain(token);
    await page.getByLabel('Token instead of your session').fill('itsm_at_wrong');
    await page.keyboard.press('Control+Enter');
    await comes(page.getByText('The token is invalid or has expired.'));
    await page.getByLabel('Token instead of your session').fill('');
    await page.keyboard.press('Control+Enter');
    await comes(page.getByRole('textbox', { name: 'Response' }).getByText('Ellen'));
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('the address of a record shows its fields; a missing record is reported', async () => {
    const page = await visit('/requests/1');
    await comes(page.getByRole('heading', { level: 1, name: 'Cannot connect to the printer on floor 3' }));
    await comes(page.getByRole('link', { name: 'Service Desk' }));
    await page.goto(`${platform.origin}/accounts/wdc/requests/4711`);
    await comes(page.getByText('There is no request 4711 in wdc, or you may not see it.'));
    await page.goto(`${platform.origin}/accounts/wdc/gadgets/1`);
    await comes(page.getByRole('heading', { level: 1, name: 'Page not found' }));
  });
});
