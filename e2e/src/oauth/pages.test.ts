import type { DemoPerson } from '@itsm/embedded/demo/demo-file';
import type { Page } from 'playwright-core';
import { opensVisits, startChromium, withChromium } from './testing/chromium';
import type { Chromium, Visit } from './testing/chromium';
import { brightness, contrast, outlineOf, readColours, widthOfPage } from './testing/page-looks';
import { challenge } from './testing/pkce';
import { startPlatform } from './testing/platform';
import type { Platform } from './testing/platform';
import { startSite } from './testing/site';
import type { Site } from './testing/site';

withChromium('the pages in Chromium', () => {
  let platform: Platform;
  let chromium: Chromium;
  let site: Site;

  beforeAll(async () => {
    [platform, chromium, site] = await Promise.all([startPlatform(), startChromium(), startSite()]);
  });
  afterAll(async () => {
    await chromium.close();
    await site.close();
    await platform.stop();
    await platform.remove();
  });
  const open = opensVisits(() => chromium);

  const callbackPage = () => `${site.origin('127.0.0.1')}/callback`;
  function authorizePage(account: 'wdc' | 'acme' = 'wdc'): string {
    const query = new URLSearchParams({
      client_id: platform.demo.accounts[account].application.client_id,
      response_type: 'code',
      redirect_uri: callbackPage(),
      state: 'a state & more',
      ...challenge,
    });
    return `${platform.origin}/oauth/authorize?${query.toString()}`;
  }

  async function signIn(page: Page, { email, password }: DemoPerson): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  const isAskedBy = (page: Page) => page.getByRole('heading', { name: /^Authorize .*\?$/ }).waitFor();

  /** Opens the consent page as `person`. */
  async function openConsent(person: DemoPerson, account: 'wdc' | 'acme' = 'wdc'): Promise<Visit> {
    const visit = await open();
    await visit.page.goto(authorizePage(account));
    await signIn(visit.page, person);
    await isAskedBy(visit.page);
    return visit;
  }

  const answerOn = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const people = () => platform.demo.accounts.wdc;

  test('Authorize redirects to the callback with a code, without scripts', async () => {
    const { page, complaints } = await open({ javaScriptEnabled: false });
    await page.goto(authorizePage('acme'));
    await signIn(page, platform.demo.accounts.acme.administrator);
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.waitForURL(`${callbackPage()}?*`);
    const answer = {
      state: 'a state & more',
      iss: platform.origin,
      code: expect.stringMatching(/^itsm_ac_/) as string,
    };
    expect(answerOn(page)).toEqual(answer);
    // Consent is asked again although it was given before, since any app of this device can listen on a loopback
    // address.
    await page.goto(authorizePage('acme'));
    await isAskedBy(page);
    expect(complaints).toEqual([]);
  });

  test('an application may redirect on to other origins after Authorize', async () => {
    const elsewhere = `${site.origin('localhost')}/welcome`;
    site.redirect('/callback', elsewhere);
    const { page, complaints } = await open();
    await page.goto(authorizePage('acme'));
    await signIn(page, platform.demo.accounts.acme.specialist);
    await isAskedBy(page);
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.waitForURL(elsewhere);
    expect(complaints).toEqual([]);
    site.redirect('/callback', undefined);
  });

  test('Deny redirects to the callback with access_denied', async () => {
    const { page, complaints } = await openConsent(people().administrator);
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.waitForURL(`${callbackPage()}?*`);
    expect(answerOn(page)).toMatchObject({ error: 'access_denied', state: 'a state & more', iss: platform.origin });
    expect(complaints).toEqual([]);
  });

  test.each(['localhost', '127.0.0.1'] as const)('in a frame on %s no page shows', async (host) => {
    const { context, page, complaints } = await openConsent(people().administrator);
    const pages = [page.url(), `${platform.origin}/oauth/profile`, `${platform.origin}/oauth/sign-in`, authorizePage()];
    const elsewhere = await context.newPage();
    site.show(pages.map((url) => `<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>`).join(''));
    await elsewhere.goto(site.origin(host));
    const frames = elsewhere.frames().filter((frame) => frame !== elsewhere.mainFrame());
    expect(frames).toHaveLength(pages.length);
    for (const frame of frames) {
      expect(await frame.locator('form').count()).toBe(0);
      expect(frame.url()).toBe('chrome-error://chromewebdata/');
    }
    expect(complaints.filter((text) => text.includes('frame-ancestors')).length).toBeGreaterThanOrEqual(pages.length);
  });

  test.each(['localhost', '127.0.0.1'] as const)(
    'a form on %s is refused, even one that knows the token of the page',
    async (host) => {
      const { context, page } = await openConsent(people().administrator);
      const formToken = await page.locator('main input[name=form_token]').inputValue();
      const forms = [
        { action: page.url(), fields: { decision: 'allow' } },
        { action: page.url(), fields: { decision: 'allow', form_token: formToken } },
        {
          action: `${platform.origin}/oauth/profile/personal-access-tokens`,
          fields: { name: 'mine', days: '30', action: '*:Read', form_token: formToken },
        },
        { action: `${platform.origin}/oauth/sign-out`, fields: { form_token: formToken } },
      ];
      const elsewhere = await context.newPage();
      for (const { action, fields } of forms) {
        const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
        site.show(`<form method="post" action="${action}">${inputs.join('')}<button>Win a prize</button></form>`);
        await elsewhere.goto(site.origin(host));
        await elsewhere.getByRole('button').click();
        await elsewhere.waitForURL(`${platform.origin}/**`);
        await elsewhere.waitForLoadState();
        expect(await elsewhere.locator('.token').count()).toBe(0);
      }
      // Neither answered nor signed out: the question is still open, and can be answered where it was asked.
      await page.reload();
      await isAskedBy(page);
      await page.goto(`${platform.origin}/oauth/profile`);
      expect(await page.getByRole('heading', { name: 'mine', exact: true }).count()).toBe(0);
    },
  );

  test('the consent question of one person cannot be answered by another, in the same or another browser', async () => {
    const { context, page } = await openConsent(people().administrator);
    const question = page.url();

    const { page: others } = await open();
    await others.goto(`${platform.origin}/oauth/sign-in`);
    await signIn(others, people().specialist);
    await others.getByRole('heading', { name: 'Access & Security' }).waitFor();
    expect((await others.goto(question))?.status()).toBe(404);

    const tab = await context.newPage();
    await tab.goto(`${platform.origin}/oauth/profile`);
    await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signIn(tab, people().specialist);
    await tab.getByRole('heading', { name: 'Access & Security' }).waitFor();
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    expect((await answered).status()).toBe(403);
    expect(page.url()).toBe(question);
    await tab.reload();
    expect(await tab.getByText('You have not authorized any application.').count()).toBe(1);
  });

  /** Presses Tab until the element has the focus, which must be visible. */
  async function tabTo(page: Page, name: RegExp): Promise<void> {
    for (let presses = 0; presses < 200; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.count()) === 0) continue;
      const text = await focused.evaluate((element) => element.textContent ?? '');
      const outline = await focused.evaluate(outlineOf);
      expect([text, outline]).toEqual([text, expect.stringMatching(/solid|auto/)]);
      if (name.test(text)) return;
    }
    throw new Error(`Tab does not reach ${name.source}`);
  }

  test('signing in, allowing and revoking work by keyboard alone', async () => {
    const { page, complaints } = await open();
    await page.goto(authorizePage());
    const { email, password } = people().end_user;
    // The page focuses the field itself, a moment after it has loaded.
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await isAskedBy(page);
    await tabTo(page, /^Authorize$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${callbackPage()}?*`);
    expect(answerOn(page)['code']).toMatch(/^itsm_ac_/);
    await page.goto(`${platform.origin}/oauth/profile`);
    await tabTo(page, /^Revoke Demo application$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Yes, revoke Demo application$/);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The authorization is revoked.').waitFor();
    await page.goto(authorizePage());
    await isAskedBy(page);
    expect(complaints).toEqual([]);
  });

  const pagesOf = (page: Page): string[] => [
    page.url(),
    `${platform.origin}/oauth/profile`,
    `${platform.origin}/oauth/authorize?client_id=unknown`,
    `${platform.origin}/oauth/nowhere`,
  ];

  test('no page scrolls sideways on a phone of 390 pixels', async () => {
    const { page, complaints } = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const width = () => page.evaluate(widthOfPage);
    await page.goto(authorizePage());
    expect(await width()).toBe(390);
    await signIn(page, people().administrator);
    await isAskedBy(page);
    for (const url of pagesOf(page)) {
      await page.goto(url);
      expect([url, await width()]).toEqual([url, 390]);
    }
    expect(complaints.filter((text) => !text.includes('the server responded with a status of 40'))).toEqual([]);
  });

  test("on a phone sign-out is beside the product's name, and every kind of record is visible", async () => {
    const { page } = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await page.goto(`${platform.origin}/oauth/sign-in`);
    await signIn(page, people().administrator);
    await page.getByRole('heading', { name: 'Access & Security' }).waitFor();
    const middleOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return box ? box.y + box.height / 2 : Number.NaN;
    };
    expect(Math.abs((await middleOf('.brand')) - (await middleOf('header form')))).toBeLessThan(8);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const hidden = await page.locator('.matrix').evaluate((matrix) => matrix.scrollHeight - matrix.clientHeight);
      expect([width, hidden]).toEqual([width, 0]);
    }
  });

  test('light and dark follow the system, with readable text in both', async () => {
    const { page } = await openConsent(people().administrator);
    for (const url of pagesOf(page)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(url);
        const { ground, texts } = await page.evaluate(readColours);
        expect([url, colorScheme, brightness(ground) > 0.5 ? 'light' : 'dark']).toEqual([
          url,
          colorScheme,
          colorScheme,
        ]);
        for (const { text, colour, behind } of texts) {
          expect({ url, colorScheme, text, contrast: contrast(colour, behind) >= 4.5 }).toMatchObject({
            contrast: true,
          });
        }
      }
    }
  });
});
