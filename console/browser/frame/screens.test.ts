/// <reference types="jest" />
import { generatedPart, markdownTable } from '@itsm/shared/testing/generated-part';
import { routes } from '../../src/testing/routes';
import { screens } from './screens';

const others = screens.filter(({ group }) => group !== 'Records');

test('each screen in the navigation has a route in routes.tsx', () => {
  expect(others.filter(({ path }) => !routes.includes(path || '/'))).toEqual([]);
});

test('each route of one segment is in the navigation, the jump dialog and the keys', () => {
  const paths = others.map(({ path }) => path);
  expect(routes.filter((route) => /^\/\w+$/.test(route) && !paths.includes(route))).toEqual([]);
});

test('each screen has a key of its own', () => {
  const keys = screens.map(({ key }) => key);
  expect(keys.filter((key, place) => !/^[a-z]$/.test(key) || keys.indexOf(key) !== place)).toEqual([]);
});

test('docs/console.md has the keys of the screens (UPDATE_DOCS=1 writes them)', () => {
  const records = screens.filter(({ group }) => group === 'Records');
  const table = markdownTable([
    ['`g`, then', 'Opens'],
    ...[others, records].map((some) => [
      some.map(({ key }) => `\`${key}\``).join(' '),
      some.map(({ label }) => label.toLowerCase()).join(', '),
    ]),
  ]);
  expect(generatedPart('docs/console.md', 'keys of the screens', table)).toBe(table);
});
