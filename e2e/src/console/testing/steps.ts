import type { Locator, Page } from 'playwright-core';
import { comes } from '../../oauth/testing/waits';

/** Counts a person's steps: a click, a field filled (typed, or chosen from its list), a key that acts. */
export interface Steps {
  readonly count: number;
  click(target: Locator): Promise<void>;
  fill(target: Locator, text: string): Promise<void>;
  /** Chooses the list option with this name. */
  choose(field: Locator, option: string): Promise<void>;
  /** Selects the content of a field, as before copying it. */
  mark(field: Locator): Promise<void>;
  press(keys: string): Promise<void>;
}

/** The option whose first line is this; a second line may explain it. */
export const optionOf = (page: Page, name: string): Locator =>
  page.getByRole('option', { name: new RegExp(`^${name.replaceAll('.', '\\.')}( |$)`) });

/** Steps by mouse; `Tab` and arrow keys only navigate, so they are not counted. */
export function stepsByMouse(page: Page): Steps {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async click(target) {
      count += 1;
      await target.click();
    },
    async fill(target, text) {
      count += 1;
      await target.fill(text);
    },
    async choose(field, option) {
      count += 1;
      await field.click();
      await optionOf(page, option).click();
    },
    async mark(field) {
      count += 1;
      await field.dblclick();
    },
    async press(keys) {
      count += 1;
      await page.keyboard.press(keys);
    },
  };
}

/** Steps by keyboard only: `Tab` reaches a control, arrow keys reach an option. */
export function stepsByKeyboard(page: Page): Steps {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async click(target) {
      count += 1;
      await reach(page, target);
      await page.keyboard.press('Enter');
    },
    async fill(target, text) {
      count += 1;
      await write(page, target, text);
    },
    async choose(field, option) {
      count += 1;
      await write(page, field, option);
      await reach(page, optionOf(page, option));
      await page.keyboard.press('Enter');
    },
    async mark(field) {
      count += 1;
      // `Tab` selects the whole content of a field.
      await reach(page, field);
    },
    async press(keys) {
      count += 1;
      await page.keyboard.press(keys);
    },
  };
}

async function write(page: Page, target: Locator, text: string): Promise<void> {
  await reach(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

const longestWay = 150;

/** Presses Tab until `target` has the focus; arrow keys in an open list of options. */
async function reach(page: Page, target: Locator): Promise<void> {
  await comes(target);
  const isOption = ['option', 'menuitem'].includes((await target.getAttribute('role')) ?? '');
  for (let pressed = 0; pressed < longestWay; pressed += 1) {
    if (isOption ? await isFocusedOption(target) : await hasFocus(target)) return;
    // In an editor `Tab` indents, unless `Escape` was pressed before.
    if (!isOption && (await isInEditor(page))) await page.keyboard.press('Escape');
    await page.keyboard.press(isOption ? 'ArrowDown' : 'Tab');
  }
  throw new Error(`The keyboard does not reach ${String(target)}.`);
}

const isInEditor = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.getAttribute('contenteditable') === 'true');
const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);
const isFocusedOption = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.hasAttribute('data-focused') || element === element.ownerDocument.activeElement);
