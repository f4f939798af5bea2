import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import type { Visit } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

/** The levels of the visible headings, in document order. */
const levelsOf = async (page: Page): Promise<number[]> =>
  (await page.getByRole('heading').evaluateAll((headings) => headings.map(({ tagName }) => tagName))).map((name) =>
    Number(name.slice(1)),
  );

withChromium('headings and focus', () => {
  let scene: Scene;
  let visit: Visit;
  beforeAll(async () => {
    scene = await startScene();
    await scene.register('pager');
    await scene.createRequest('The printer');
    visit = await scene.enter('administrator');
  });
  afterAll(() => scene.close());

  test.each([
    '/accounts/wdc',
    '/accounts/wdc/webhooks',
    '/accounts/wdc/webhooks/new',
    '/accounts/wdc/webhooks/1',
    '/accounts/wdc/webhooks/1/why',
    '/accounts/wdc/webhooks/1/recover',
    '/accounts/wdc/deliveries',
    '/accounts/wdc/signing',
    '/accounts/wdc/signing/new',
    '/accounts/wdc/explorer',
    '/accounts/wdc/applications',
    '/accounts/wdc/applications/new',
    '/accounts/wdc/applications/1',
    '/accounts/wdc/requests',
    '/accounts/wdc/requests/1',
    '/oauth/profile',
    '/oauth/profile/sign-in',
    '/oauth/administration/sso-configurations',
    '/oauth/administration/people',
    '/oauth/administration/account',
    '/oauth/administration/security-log',
  ])('%s has one heading of level 1, before all others, and skips no level', async (path) => {
    const page = await visit.context.newPage();
    await page.goto(`${scene.platform.origin}${path}`);
    await comes(page.getByRole('heading', { level: 1 }));
    await goes(page.getByRole('status', { name: 'Loading' }).first());
    const levels = await levelsOf(page);
    const steps = levels.map((level, index) => level - (levels[index - 1] ?? 0));
    expect({ levels, first: levels.filter((level) => level === 1).length }).toEqual({ levels, first: 1 });
    expect({ levels, widest: Math.max(...steps) }).toEqual({ levels, widest: 1 });
    await page.close();
  });

  test('a dialog takes the focus and returns it', async () => {
    const page = await visit.context.newPage();
    await page.goto(`${scene.platform.origin}/accounts/wdc/webhooks`);
    await comes(page.getByRole('heading', { level: 1, name: 'Webhooks' }).and(page.locator(':focus')));
    const help = page.getByRole('button', { name: 'Shortcuts and help' });
    await help.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await comes(dialog);
    expect(await dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await goes(dialog);
    await comes(help.and(page.locator(':focus')));
    await page.close();
  });

  test('an undoable action offers undo: a disabled webhook is enabled again, by keyboard too', async () => {
    const page = await visit.context.newPage();
    await page.goto(`${scene.platform.origin}/accounts/wdc/webhooks/1`);
    const state = async () => {
      const { webhook } = await scene.administrator.graphql<{ readonly webhook: { readonly state: string } }>(
        '{ webhook(id: "1") { state } }',
        {},
      );
      return webhook.state;
    };
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await comes(undo);
    expect(await state()).toBe('disabled');
    // The toast stays while it has the focus.
    await undo.focus();
    await page.keyboard.press('Enter');
    await comes(page.getByText('pager is enabled.'));
    expect(await state()).toBe('active');
    await page.close();
  });
});
