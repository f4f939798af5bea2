import { withChromium } from '../oauth/testing/chromium';
import type { Visit } from '../oauth/testing/chromium';
import { untilDrawn, widthOfPage } from '../oauth/testing/page-looks';
import { comes, goes } from '../oauth/testing/waits';
import { cutTexts, spaceText } from './testing/larger-text';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

/** A window of 1280 × 900 at a zoom of 200 %: half as many CSS pixels. */
const zoomed = { width: 640, height: 450 };

withChromium('the console with larger text', () => {
  let scene: Scene;
  let visit: Visit;
  beforeAll(async () => {
    scene = await startScene();
    await scene.register('pager');
    await scene.createRequest('The printer on the third floor prints empty pages');
    await scene.receiver.next('/pager');
    visit = await scene.enter('administrator', '', { deviceScaleFactor: 2 });
  });
  afterAll(() => scene.close());

  test.each([
    '',
    '/webhooks',
    '/webhooks/new',
    '/webhooks/1',
    '/webhooks/1/why',
    '/webhooks/1/recover',
    '/deliveries',
    '/signing',
    '/explorer',
    '/applications',
    '/applications/new',
    '/requests/1',
  ])('%s at 200 %%, and with wide text spacing: nothing is clipped, nothing scrolls sideways', async (path) => {
    const page = await visit.context.newPage();
    await page.setViewportSize(zoomed);
    await page.goto(`${scene.platform.origin}/accounts/wdc${path}`);
    await comes(page.getByRole('heading', { level: 1 }).and(page.locator(':focus')));
    await goes(page.getByRole('status', { name: 'Loading' }).first());
    const found = async () => ({
      cut: await page.evaluate(cutTexts),
      isWider: (await page.evaluate(widthOfPage)) > zoomed.width,
    });
    const nothing = { cut: [], isWider: false };
    expect(await found()).toEqual(nothing);
    await page.evaluate(spaceText);
    await page.evaluate(untilDrawn);
    expect(await found()).toEqual(nothing);
    await page.close();
  });
});
