import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Furniture } from '../../e2e/src/console/testing/furnished-scene';
import { consoleScreens } from '../../e2e/src/console/testing/screens';
import { administered, routes } from './testing/routes';

const page = readFileSync(join(__dirname, '../../docs/console.md'), 'utf8');
const [, chapter = ''] = /\n## The screens\n([^]*?)\n## /.exec(page) ?? [];
/** The second column of the table; a screen may have two addresses. */
const documented = [...chapter.matchAll(/^\| [^|]+ \| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`(\/[^`]*)`/g)].map(([, address = '']) => address),
);
/** `/webhooks/$webhook` is `/webhooks/<id>` on the page. */
const onPage = (route: string): string =>
  route.replace('$kind', '<kind>').replace('$record', '<number>').replace(/\$\w+/, '<id>');

/** The route that the router takes for an address: of those that fit the one with the fewest parameters. */
const routeOf = (address: string): string | undefined => {
  const [path = ''] = address.split('?');
  const parameters = (route: string) => route.split('$').length;
  const isIt = (route: string) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path || '/');
  return routes.filter(isIt).sort((one, other) => parameters(one) - parameters(other))[0];
};

/** Furniture whose every number and id is 1. */
const ones = new Proxy({}, { get: () => '1' });
const furniture = new Proxy({}, { get: (_none, name) => (name === 'request' ? '1' : ones) }) as Furniture;
const visited = consoleScreens.map(({ path }) => routeOf(path(furniture)));

test('routes are found', () => {
  expect(routes).toEqual(expect.arrayContaining(['/', '/webhooks/$webhook/edit', '/$kind/$record']));
  expect(new Set(routes).size).toBe(routes.length);
});

test('the table of screens in docs/console.md has the address of each', () => {
  expect(routes.map(onPage).filter((address) => !documented.includes(address))).toEqual([]);
});

test('docs/console.md has no other addresses of screens', () => {
  expect(documented.filter((address) => routeOf(address) === undefined)).toEqual([]);
});

test('each screen is in the table of the journeys, e2e/src/console/testing/screens.ts', () => {
  expect(routes.filter((route) => !visited.includes(route))).toEqual([]);
});

test('the table says of those below a screen for administrators that others are refused', () => {
  expect(administered.length).toBeGreaterThan(3);
  const isAdministered = (address: string) => administered.some((path) => address.startsWith(path));
  const wrong = consoleScreens.filter(
    ({ path, isForAdministrators = false }) => isAdministered(path(furniture)) !== isForAdministrators,
  );
  expect(wrong).toEqual([]);
});
