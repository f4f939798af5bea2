import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const quoted = (list: string): string[] => [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
const orders = [...text('.dependency-cruiser.modules.cjs').matchAll(/^ {2}'?([\w/-]+)'?: \[(.*)\],$/gm)].map(
  ([, part = '', list = '']) => ({ part, modules: quoted(list) }),
);

test.each(orders)('$part has the modules that docs/architecture.md lists, in their order', ({ part, modules }) => {
  const [, table = ''] = text('docs/architecture.md').split(`\n| ${part.replace('services/', '')} | owns |\n`);
  const [rows = ''] = table.split('\n\n');
  expect([...rows.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)).toEqual(modules);
  const folders = readdirSync(join(root, part, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => name)
    // A folder that moved away may have left an empty one behind.
    .filter((name) => readdirSync(join(root, part, 'src', name)).length > 0);
  expect(folders.sort()).toEqual([...modules].sort());
});

test('every service is among them', () => {
  const services = readdirSync(join(root, 'services')).filter((name) =>
    existsSync(join(root, 'services', name, 'src')),
  );
  expect(orders.map(({ part }) => part).sort()).toEqual(
    ['gateway', 'shared', ...services.map((name) => `services/${name}`)].sort(),
  );
});
