import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import {
  drawEverything,
  focusOfPage,
  invisibleInForcedColours,
  isInEditor,
  markPainted,
  numberControls,
  untilDrawn,
  widthOfPage,
} from './page-looks';

/** Where pictures of every page are put that is looked at, to be looked at by people; without it there are none. */
const pictures = process.env['PICTURES'];

/** How a page is looked at. */
export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  /** By few colours of the person's own, as the high contrast of Windows. */
  readonly areForced?: true;
}

/** Both widths and both palettes, each once: no rule of a palette asks for the width. */
const looks: readonly Look[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 320 },
];
/** With forced colours too. */
export const allLooks: readonly Look[] = [...looks, { colorScheme: 'dark', width: 1280, areForced: true }];

/** All looks; with `STATES=short` the one whose turn it is, so that what is looked at often is seen in each of them. */
export function stateLooks(): readonly Look[] {
  if (process.env['STATES'] !== 'short') return allLooks;
  turn += 1;
  return [allLooks[turn % allLooks.length] ?? allLooks[0]].filter((look) => look !== undefined);
}
let turn = 0;

/**
 * What is wrong with the page of this heading for people with disabilities (axe), where it scrolls sideways, and what the
 * keyboard does not reach or reaches unseen; for a visit with `bypassCSP`. `picture` tells its states apart.
 */
export async function auditPage(page: Page, heading: string | RegExp, picture?: string): Promise<string[]> {
  const exact = typeof heading === 'string';
  await page.getByRole('heading', { level: 1, name: heading, exact }).waitFor();
  return [...(await auditKeyboard(page)), ...(await auditLooks(page, looks, { picture }))];
}

interface Audit {
  /** Tells the states of a page apart. */
  readonly picture?: string | undefined;
  /** Rules that do not hold there. */
  readonly exceptions?: readonly string[];
  /** What is like what stands before it, and is not judged a second time: the rules take long for thousands of elements. */
  readonly repeated?: string;
}

/** The same without the keyboard, of the page as it is, in each of the looks. */
export async function auditLooks(page: Page, wanted: readonly Look[], audit: Audit = {}): Promise<string[]> {
  const { picture } = audit;
  const found: string[] = [];
  for (const look of wanted) {
    const { colorScheme, width, areForced } = look;
    if (areForced) await page.evaluate(markPainted);
    await page.emulateMedia({ colorScheme, forcedColors: areForced ? 'active' : 'none' });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(untilDrawn);
    const name = `${width}-${areForced ? 'forced' : colorScheme}`;
    const variant = `${picture ?? new URL(page.url()).pathname} ${name}`;
    if ((await page.evaluate(widthOfPage)) > width) found.push(`${variant}: scrolls sideways`);
    // The rules about colours judge those that the page asks for.
    if (areForced)
      found.push(
        ...(await page.evaluate(invisibleInForcedColours)).map((html) => `${variant}: cannot be seen: ${html}`),
      );
    else found.push(...(await auditRules(page, audit)).map((violation) => `${variant}: ${violation}`));
    if (pictures !== undefined && picture !== undefined) {
      // What is below the window is drawn when one comes to it; the picture has it too.
      await page.evaluate(drawEverything);
      await page.screenshot({ path: `${pictures}/${picture}-${name}.png`, fullPage: true });
    }
  }
  return found;
}

async function auditRules(page: Page, { exceptions = [], repeated }: Audit): Promise<string[]> {
  // Half a megabyte, which a page takes once.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // In the page itself: it has no frames, and another page would be opened for what they hold.
  const axe = new AxeBuilder(isThere ? { page, axeSource: 'void 0' } : { page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .disableRules([...exceptions])
    // React Aria announces a pending button by its progress bar, for some seconds longer than there is one.
    .exclude('[data-live-announcer] [role=img]');
  if (repeated !== undefined) axe.exclude(repeated);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(' ')}`);
}

// What has tabindex -1, and a radio button that is not chosen, belong to a composite, which the arrows go through.
const reachable = [
  'a[href]',
  'button',
  'input:not([type=hidden], [hidden], [type=radio]:not(:checked))',
  'select',
  'textarea',
  'summary',
]
  .map((control) => `${control}:not([tabindex="-1"])`)
  .join(', ');

/** Every control in its order, with a visible focus. */
async function auditKeyboard(page: Page): Promise<string[]> {
  const controls = page.locator(reachable).filter({ visible: true });
  const missing = new Map(Object.entries(await controls.evaluateAll(numberControls)));
  const found: string[] = [];
  await page.locator('body').focus();
  // Twice round, and some more for what has come since.
  for (let presses = 2 * missing.size + 60; presses > 0 && missing.size > 0; presses -= 1) {
    // An editor keeps Tab until Esc was pressed.
    if (await page.evaluate(isInEditor)) await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    const { number, name, outline } = await page.evaluate(focusOfPage);
    if (missing.delete(number) && !/solid|auto/.test(outline)) found.push(`focus cannot be seen at ${name}`);
  }
  return [...found, ...[...missing.values()].map((name) => `the keyboard does not reach ${name}`)];
}
