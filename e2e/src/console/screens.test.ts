import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import type { Visit } from '../oauth/testing/chromium';
import { auditPage } from '../oauth/testing/page-audit';
import { untilDrawn, widthOfPage } from '../oauth/testing/page-looks';
import { comes, goes } from '../oauth/testing/waits';
import { cutTexts, spaceText, unspaceText } from './testing/larger-text';
import { startFurnishedScene } from './testing/furnished-scene';
import type { FurnishedScene, Furniture } from './testing/furnished-scene';
import type { Who } from './testing/scene';
import { consoleScreens } from './testing/screens';

interface Screen {
  readonly name: string;
  readonly who: Who;
  readonly path: (furniture: Furniture) => string;
  readonly heading: string | RegExp;
}

/** Screens that look otherwise for somebody else, or of something in another state. */
const variants: readonly Screen[] = [
  {
    name: 'webhook-unverified',
    who: 'administrator',
    path: ({ webhooks }) => `/webhooks/${webhooks.unverified}`,
    heading: 'Change calendar',
  },
  {
    name: 'webhook-why-unverified',
    who: 'administrator',
    path: ({ webhooks }) => `/webhooks/${webhooks.unverified}/why`,
    heading: /Change calendar/,
  },
  {
    name: 'webhook-recover-unverified',
    who: 'administrator',
    path: ({ webhooks }) => `/webhooks/${webhooks.unverified}/recover`,
    heading: /Change calendar/,
  },
  { name: 'webhook-missing', who: 'administrator', path: () => '/webhooks/4711', heading: /./ },
  { name: 'webhooks-not-allowed', who: 'specialist', path: () => '/webhooks', heading: 'Webhooks' },
  { name: 'applications-not-allowed', who: 'end_user', path: () => '/applications', heading: 'Applications' },
  { name: 'requests-as-administrator', who: 'administrator', path: () => '/requests', heading: 'Requests' },
  { name: 'requests-as-end-user', who: 'end_user', path: () => '/requests', heading: 'My requests' },
  { name: 'record-as-specialist', who: 'specialist', path: () => '/requests/1', heading: /./ },
  { name: 'team', who: 'specialist', path: () => '/teams/1', heading: 'Service Desk' },
  { name: 'people-not-allowed', who: 'end_user', path: () => '/people', heading: 'People' },
  { name: 'person', who: 'specialist', path: () => '/people/1', heading: 'Ellen Brown' },
  { name: 'record-missing', who: 'specialist', path: () => '/requests/471100', heading: 'Request 471100' },
];
const screens: readonly Screen[] = [
  ...consoleScreens.map(({ loadedHeading, ...screen }) => ({ ...screen, heading: loadedHeading ?? screen.heading })),
  ...variants,
];

/** Pages of the authorization server that are in the frame of the console. */
const framed = [
  '/oauth/profile',
  '/oauth/profile/sign-in',
  '/oauth/administration/sso-configurations',
  '/oauth/administration/people',
  '/oauth/administration/account',
  '/oauth/administration/security-log',
];

/** Chromium reports each 404 in its console, such as that of a missing record. */
const isMissing = (text: string): boolean => /status of 404/.test(text);

withChromium('the screens of the console', () => {
  let scene: FurnishedScene;
  beforeAll(async () => {
    scene = await startFurnishedScene();
  });
  afterAll(() => scene.close());

  /** One sign-in per role, with the density of a screen at a zoom of 200 %. */
  const visits = new Map<Who, Promise<Visit>>();
  const visitOf = (who: Who): Promise<Visit> => {
    const visit = visits.get(who) ?? scene.enter(who, '', { deviceScaleFactor: 2 });
    visits.set(who, visit);
    return visit;
  };

  test.each(screens)(
    '$name can be used by everybody, narrow and wide, in light and dark, and with larger text, has headings in order, asks for nothing that its policy forbids, and takes the focus to its heading',
    async (screen) => {
      const visit = await visitOf(screen.who);
      const known = visit.complaints.length;
      const page = await visit.context.newPage();
      await page.goto(`${scene.platform.origin}/accounts/wdc${screen.path(scene.furniture)}`);
      await comes(page.getByRole('heading', { level: 1, name: screen.heading }).and(page.locator(':focus')));
      // Content that loads later would replace the element that the keyboard should reach.
      await goes(page.getByRole('status', { name: 'Loading' }).first());
      await expectHeadingsInOrder(page);
      await expectRoomForLargerText(page);
      expect(await auditPage(page, screen.heading, `console-${screen.name}`)).toEqual([]);
      await page.close();
      expect(visit.complaints.slice(known).filter((text) => !isMissing(text))).toEqual([]);
    },
  );

  test.each(framed)('%s has headings in order', async (path) => {
    const page = await (await visitOf('administrator')).context.newPage();
    await page.goto(`${scene.platform.origin}${path}`);
    await comes(page.getByRole('heading', { level: 1 }));
    await goes(page.getByRole('status', { name: 'Loading' }).first());
    await expectHeadingsInOrder(page);
    await page.close();
  });

  test('Ctrl Enter sends a form from a text area', async () => {
    const page = await (await visitOf('end_user')).context.newPage();
    await page.goto(`${scene.platform.origin}/accounts/wdc`);
    await page.getByLabel('Subject').fill('A new laptop');
    await page.getByLabel('Details').press('Control+Enter');
    await comes(page.getByText('Sent: A new laptop'));
    await page.close();
  });

  test('a dialog takes the focus and returns it', async () => {
    const page = await (await visitOf('administrator')).context.newPage();
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
    const page = await (await visitOf('administrator')).context.newPage();
    const { signed } = scene.furniture.webhooks;
    await page.goto(`${scene.platform.origin}/accounts/wdc/webhooks/${signed}`);
    const state = async () => {
      const { webhook } = await scene.administrator.graphql<{ readonly webhook: { readonly state: string } }>(
        'query ($id: ID!) { webhook(id: $id) { state } }',
        { id: signed },
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
    await comes(page.getByText('Incident pager is enabled.'));
    expect(await state()).toBe('active');
    await page.close();
  });
});

/** One visible heading of level 1, before all others, and no level is skipped. */
async function expectHeadingsInOrder(page: Page): Promise<void> {
  const names = await page.getByRole('heading').evaluateAll((headings) => headings.map(({ tagName }) => tagName));
  const levels = names.map((name) => Number(name.slice(1)));
  const steps = levels.map((level, index) => level - (levels[index - 1] ?? 0));
  expect({ levels, first: levels.filter((level) => level === 1).length }).toEqual({ levels, first: 1 });
  expect({ levels, widest: Math.max(...steps) }).toEqual({ levels, widest: 1 });
}

/** A window of 1280 × 900 at a zoom of 200 %: half as many CSS pixels. */
const zoomed = { width: 640, height: 450 };

/** At 200 %, and with wide text spacing, nothing is clipped and nothing scrolls sideways. */
async function expectRoomForLargerText(page: Page): Promise<void> {
  const before = page.viewportSize() ?? zoomed;
  const found = async () => ({
    cut: await page.evaluate(cutTexts),
    isWider: (await page.evaluate(widthOfPage)) > zoomed.width,
  });
  const nothing = { cut: [], isWider: false };
  await page.setViewportSize(zoomed);
  await page.evaluate(untilDrawn);
  expect(await found()).toEqual(nothing);
  await page.evaluate(spaceText);
  await page.evaluate(untilDrawn);
  expect(await found()).toEqual(nothing);
  await page.evaluate(unspaceText);
  await page.setViewportSize(before);
  await page.evaluate(untilDrawn);
}
