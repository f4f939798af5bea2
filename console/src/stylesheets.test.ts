import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const browser = join(__dirname, '../browser');

/** The selectors of a folder's stylesheets; those of rules within `@media` too. */
function selectorsOf(folder: string): readonly string[] {
  const files = readdirSync(join(browser, folder)).filter((name) => name.endsWith('.css'));
  const css = files.map((name) => readFileSync(join(browser, folder, name), 'utf8')).join('\n');
  const withoutComments = css.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...withoutComments.matchAll(/([^{};]+)\{/g)]
    .map(([, selector = '']) => selector.trim())
    .filter((selector) => !selector.startsWith('@') && classesOf(selector).length > 0)
    .flatMap((selector) => selector.split(/,\s*(?![^(]*\))/));
}

const classesOf = (selector: string): readonly string[] =>
  [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);

const folders = readdirSync(browser, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ name, selectors: selectorsOf(name) }))
  .filter(({ selectors }) => selectors.length > 0);
const screens = folders.filter(({ name }) => !['design', 'frame'].includes(name));

// A stylesheet stays after its screen was left: what it says of a class of another one holds there from then on.
test.each(screens)('the stylesheets of $name style what is theirs alone', ({ name, selectors }) => {
  const others = folders.filter((folder) => folder.name !== name).flatMap((folder) => folder.selectors);
  const taken = new Set(others.flatMap(classesOf));
  expect(selectors.filter((selector) => classesOf(selector).every((one) => taken.has(one)))).toEqual([]);
});

test('the screens have stylesheets', () => {
  expect(screens.length).toBeGreaterThan(5);
});
