import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { opensVisits, startChromium, withChromium } from '../oauth/testing/chromium';
import type { Chromium, Visit } from '../oauth/testing/chromium';
import { brightness, contrast, outlineOf, readColours, widthOfPage } from '../oauth/testing/page-looks';
import { startPlatform } from '../oauth/testing/platform';
import type { Platform } from '../oauth/testing/platform';
import { administratorOf } from '../webhooks/testing/administrator';
import { hostileHtml } from './hostile-page';

/** Counts all connections, even those without a request. */
async function startCounter() {
  const seen: string[] = [];
  let page = '';
  const server: Server = createServer((req, res) => {
    seen.push(`${req.method ?? ''} ${req.url ?? ''}`);
    res.setHeader('Content-Type', 'text/html').end(req.url === '/hostile' ? page : '');
  });
  server.on('connection', () => seen.push('connection'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    seen,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (html: string) => void (page = html),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

withChromium('the preview in Chromium', () => {
  let platform: Platform;
  let chromium: Chromium;
  let counter: Awaited<ReturnType<typeof startCounter>>;
  beforeAll(async () => {
    [platform, chromium, counter] = await Promise.all([startPlatform(), startChromium(), startCounter()]);
  });
  afterAll(async () => {
    await chromium.close();
    counter.close();
    await platform.stop();
    await platform.remove();
  });
  const open = opensVisits(() => chromium);

  /** The URL of a preview of a new extension, with Dutch texts for `phrase`. */
  async function preview(extension: object, phrase = 'Order'): Promise<string> {
    const { post, put } = administratorOf(platform);
    const { id } = await post('/v1/ui_extensions', { name: 'Laptop order', ...extension });
    await put(`/v1/ui_extensions/${String(id)}/translations/nl`, { translations: { [phrase]: 'Bestel' } });
    return String((await post(`/v1/ui_extensions/${String(id)}/preview`, {}))['uri']);
  }

  const frameOf = async (page: Page): Promise<Frame> => {
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    if (!frame) throw new Error('the frame has no document');
    await frame.waitForLoadState();
    return frame;
  };
  const ran = ({ complaints }: Visit) => complaints.filter((text) => /^ran \d+$/.test(text));

  test('without the sandbox the hostile page runs and calls out', async () => {
    const before = counter.seen.length;
    counter.show(hostileHtml(counter.origin).replace(/<meta[^>]*refresh[^>]*>/, ''));
    const visit = await open();
    await visit.page.goto(`${counter.origin}/hostile`);
    await waitUntil('scripts to run', () => ran(visit).length > 5);
    await waitUntil('requests', () => counter.seen.length > before + 30);
  });

  test('in the preview it runs no script, does not navigate, reaches nothing and has no cookies', async () => {
    const form = { sections: [{ name: '<script>console.warn("ran 0")</script>', fields: [] }] };
    const html = `<h1>Order</h1>${hostileHtml(counter.origin)}`;
    const css = `.a { background: url("${counter.origin}/css"); }`;
    const uri = await preview({
      html,
      css,
      javascript: 'console.warn("ran 0")',
      form_definition: JSON.stringify(form),
    });
    const visit = await open();
    const { page, context } = visit;
    await context.addCookies([{ name: 'session', value: 'secret', url: platform.origin }]);
    const before = counter.seen.length;
    await page.goto(`${uri}/content`);
    expect(page.url()).toBe(uri);
    const frame = await frameOf(page);
    await frame.getByRole('heading', { name: 'Order', exact: true }).waitFor();
    expect(await frame.evaluate(() => self.origin)).toBe('null');
    const cookie = await frame.evaluate(() => {
      try {
        return document.cookie;
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(cookie).toBe('SecurityError');
    for (const id of ['away', 'blank', 'here', 'code', 'load', 'send', 'override']) {
      await frame.locator(`#${id}`).focus();
      await page.keyboard.press('Enter');
    }
    await frame.getByRole('heading', { name: 'Order', exact: true }).waitFor();
    expect(counter.seen.slice(before)).toEqual([]);
    expect(ran(visit)).toEqual([]);
    expect(page.url()).toBe(uri);
    expect(context.pages()).toHaveLength(1);
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['session']);
  });

  const html = '<h1>Order</h1><p>Everything to <a href="#">start</a></p>';

  test('theme, width and language are chosen with the keyboard', async () => {
    const { page } = await open();
    const uri = await preview({ html, dark_mode_safe: true });
    await page.goto(uri);
    const names: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      names.push(await focused.innerText());
      expect(await focused.evaluate(outlineOf)).toBe('solid');
    }
    expect(names.slice(0, 3)).toEqual(['Service Management', 'Console', 'Profile']);
    expect(names.slice(3)).toEqual(['System', 'Light', 'Dark', 'Desktop', 'Phone', 'Original', 'nl']);
    await page.keyboard.press('Enter');
    await page.waitForURL(/locale=nl/);
    await (await frameOf(page)).getByRole('heading', { name: 'Bestel' }).waitFor();
    const choose = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.locator(`a[aria-current]:text-is("${name}")`).waitFor();
    };
    await choose('Phone');
    await choose('Dark');
    expect(page.url()).toMatch(/theme=dark&width=phone&locale=nl$/);
    expect((await page.locator('iframe').boundingBox())?.width).toBeLessThanOrEqual(390);
    expect(await page.locator('[aria-current]').allInnerTexts()).toEqual(['Dark', 'Phone', 'nl']);
  });

  test.each([
    ['light', 1100],
    ['light', 320],
    ['dark', 1100],
    ['dark', 320],
  ] as const)('%s, %i pixels wide: readable, and nothing sticks out', async (theme, width) => {
    const { page, complaints } = await open({ viewport: { width, height: 700 }, colorScheme: theme });
    const css = '.note { color: #1f4f99; @media (prefers-color-scheme: dark) { color: #9cc2ff; } }';
    const name = `Order of a laptop for ${'somebody'.repeat(8)}`;
    const uri = await preview({ name, html: `<h1 class="note">Order</h1>${html}`, css, dark_mode_safe: true });
    const other = theme === 'dark' ? 'light' : 'dark';
    for (const [query, shown] of [
      ['', theme],
      [`?theme=${other}`, other],
    ] as const) {
      await page.goto(uri + query);
      for (const frame of [page.mainFrame(), await frameOf(page)]) {
        expect(await frame.evaluate(widthOfPage)).toBeLessThanOrEqual(width);
        const { texts } = await frame.evaluate(readColours);
        const ground = shown === 'dark' ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)';
        const ofText = texts.map(({ colour, behind, text }) => ({
          text,
          contrast: contrast(colour, /rgba\(.*, 0\)/.test(behind) ? ground : behind),
        }));
        expect(ofText.filter((each) => each.contrast < 4.5)).toEqual([]);
      }
      const { ground } = await page.evaluate(readColours);
      expect(brightness(ground) > 0.5).toBe(shown === 'light');
    }
    expect(complaints).toEqual([]);
  });

  test('an invalid preview address is reported', async () => {
    const { page } = await open();
    const answer = await page.goto(`${platform.origin}/ui_extension_previews/${'x'.repeat(43)}`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'There is no preview here' }).waitFor();
  });
});
