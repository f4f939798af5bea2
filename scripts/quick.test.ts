import { join, relative } from 'node:path';
import { readdirSync } from 'node:fs';
import quick from './jest/quick.cjs';

const root = join(__dirname, '..');
const suites = ['deploy', 'embedded', 'gateway', 'scripts', 'services', 'shared'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => join(root, folder, path)),
);

test('the quick run leaves out suites that are there, and has all others', async () => {
  const { filtered } = await quick(suites);
  const left = suites.filter((path) => !filtered.includes(path)).map((path) => relative(root, path));
  expect(left).toHaveLength(quick.longest.length);
  expect(filtered).toContain(join(root, 'scripts/quick.test.ts'));
});
