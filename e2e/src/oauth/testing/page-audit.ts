import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { focusOfPage, isInEditor, numberControls, widthOfPage } from './page-looks';

/** Where pictures of every page are put that is looked at, to be looked at by people; without it there are none. */
const pictures = process.env['PICTURES'];

/** Both widths and both palettes, each once: no rule of a palette asks for the width. */
const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 320 },
] as const;

/**
 * What is wrong with the page of this heading for people with disabilities (axe), where it scrolls sideways, and what the
 * keyboard does not reach or reaches unseen; for a visit with `bypassCSP`. `picture` tells its states apart.
 */
export async function auditPage(page: Page, heading: string | RegExp, picture?: string): Promise<string[]> {
  const exact = typeof heading === 'string';
  await page.getByRole('heading', { level: 1, name: heading, exact }).waitFor();
  const found = await auditKeyboard(page);
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const variant = `${new URL(page.url()).pathname} ${colorScheme} ${width}`;
    if ((await page.evaluate(widthOfPage)) > width) found.push(`${variant}: scrolls sideways`);
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const { id, nodes } of violations)
      found.push(`${variant}: ${id} at ${nodes.map(({ html }) => html).join(' ')}`);
    if (pictures !== undefined && picture !== undefined)
      await page.screenshot({ path: `${pictures}/${picture}-${width}-${colorScheme}.png`, fullPage: true });
  }
  return found;
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
