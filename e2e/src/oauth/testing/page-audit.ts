import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { isFirefox } from './chromium';
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

/** The folder for screenshots of every audited page, for review by people; undefined: none are taken. */
const pictures = process.env['PICTURES'];

/** The appearance in which a page is audited. */
export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  /** Forced colours, such as the high contrast mode of Windows. */
  readonly areForced?: true;
}

/** Both widths and both palettes, but not all combinations: no rule of a palette depends on the width. */
const looks: readonly Look[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 320 },
];
/** For pages that follow the system: forced colours in both schemes, and a window at 200 % zoom. */
const systemLooks: readonly Look[] = [
  { colorScheme: 'light', width: 1280, areForced: true },
  { colorScheme: 'dark', width: 640, areForced: true },
  { colorScheme: 'light', width: 640 },
];
/** The looks, and forced colours. */
export const allLooks: readonly Look[] = [...looks, { colorScheme: 'dark', width: 1280, areForced: true }];

/** All of `looks`; with `STATES=short` one in turn, so that frequent states are still audited in each. */
function inTurn(looks: readonly Look[]): readonly Look[] {
  if (process.env['STATES'] !== 'short') return looks;
  turn += 1;
  return looks.slice(turn % looks.length).slice(0, 1);
}
let turn = 0;

export const stateLooks = (): readonly Look[] => inTurn(allLooks);

/**
 * The accessibility violations of the page with this heading: axe rules, sideways scrolling, and controls that the
 * keyboard cannot reach or whose focus is invisible. Needs a visit with `bypassCSP`. `picture` names the state for
 * screenshots.
 */
export async function auditPage(page: Page, heading: string | RegExp, picture?: string): Promise<string[]> {
  const exact = typeof heading === 'string';
  await page.getByRole('heading', { level: 1, name: heading, exact }).waitFor();
  // Tab leaves the page for the window of Firefox, and its protocol changes no looks.
  if (isFirefox) return auditRules(page, {});
  return [...(await auditKeyboard(page)), ...(await auditLooks(page, [...looks, ...inTurn(systemLooks)], { picture }))];
}

interface Audit {
  /** Distinguishes states of a page. */
  readonly picture?: string | undefined;
  /** Rules that do not apply. */
  readonly exceptions?: readonly string[];
  /** A selector of repetitive elements that are not audited again: the rules are slow for thousands of elements. */
  readonly repeated?: string;
}

/** Like `auditPage` without the keyboard checks, for the page in its current state, in each of the looks. */
export async function auditLooks(page: Page, wanted: readonly Look[], audit: Audit = {}): Promise<string[]> {
  const { picture } = audit;
  const found: string[] = [];
  for (const look of wanted) {
    const { colorScheme, width, areForced } = look;
    if (areForced) await page.evaluate(markPainted);
    await page.emulateMedia({ colorScheme, forcedColors: areForced ? 'active' : 'none' });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(untilDrawn);
    const name = `${width}-${areForced ? 'forced-' : ''}${colorScheme}`;
    const variant = `${picture ?? new URL(page.url()).pathname} ${name}`;
    if ((await page.evaluate(widthOfPage)) > width) found.push(`${variant}: scrolls sideways`);
    // The axe rules on contrast do not know forced colours.
    if (areForced)
      found.push(
        ...(await page.evaluate(invisibleInForcedColours)).map((html) => `${variant}: cannot be seen: ${html}`),
      );
    else found.push(...(await auditRules(page, audit)).map((violation) => `${variant}: ${violation}`));
    if (pictures !== undefined && picture !== undefined) {
      // Content below the window is rendered lazily; the screenshot needs it.
      await page.evaluate(drawEverything);
      await page.screenshot({ path: `${pictures}/${picture}-${name}.png`, fullPage: true });
    }
  }
  return found;
}

/** A dialog hides the page behind it. axe guesses from what is painted whether one is open, and its role says it. */
const rulesOfWholePages = ['landmark-one-main', 'page-has-heading-one'];

async function auditRules(page: Page, { exceptions = [], repeated }: Audit): Promise<string[]> {
  // axe is half a megabyte, so it is injected once per page.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  const isModal = (await page.locator('[role=dialog], [role=alertdialog]').count()) > 0;
  // Legacy mode runs in the page itself: there are no frames, for which another page would be opened.
  const axe = new AxeBuilder(isThere ? { page, axeSource: 'void 0' } : { page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .disableRules([...exceptions, ...(isModal ? rulesOfWholePages : [])])
    // React Aria announces the progress bar of a pending button for some seconds longer than it exists.
    .exclude('[data-live-announcer] [role=img]');
  if (repeated !== undefined) axe.exclude(repeated);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(' ')}`);
}

// Elements with tabindex -1, and unselected radio buttons, belong to a composite widget, where arrow keys navigate. Nothing
// reaches what is disabled.
const reachable = [
  'a[href]',
  'button',
  'input:not([type=hidden], [hidden], [type=radio]:not(:checked))',
  'select',
  'textarea',
  'summary',
]
  .map((control) => `${control}:not([tabindex="-1"], :disabled)`)
  .join(', ');

/** Checks that Tab reaches every control, with a visible focus. */
async function auditKeyboard(page: Page): Promise<string[]> {
  const controls = page.locator(reachable).filter({ visible: true });
  const missing = new Map(Object.entries(await controls.evaluateAll(numberControls)));
  const found: string[] = [];
  await page.locator('body').focus();
  // Two rounds, plus a margin for controls that appear later.
  for (let presses = 2 * missing.size + 60; presses > 0 && missing.size > 0; presses -= 1) {
    // An editor keeps Tab until Esc is pressed.
    if (await page.evaluate(isInEditor)) await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    const { number, name, outline } = await page.evaluate(focusOfPage);
    if (missing.delete(number) && !/solid|auto/.test(outline)) found.push(`focus cannot be seen at ${name}`);
  }
  return [...found, ...[...missing.values()].map((name) => `the keyboard does not reach ${name}`)];
}
