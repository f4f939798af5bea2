import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const states = rows.map((cells) => cells.at(-2) ?? '');

test('each requirement is met, not applicable or not met, with a reason', () => {
  expect(rows.length).toBeGreaterThan(140);
  expect(states.filter((state) => !/^(met: `|not applicable: \S|not met: \S)/.test(state))).toEqual([]);
});

test('no requirement of ASVS is listed twice', () => {
  const ids = rows.flatMap(([, id = '']) => (/^\d+\.\d+\.\d+$/.test(id) ? [id] : []));
  const ofAsvs = ids.slice(0, 122);
  expect(new Set(ofAsvs).size).toBe(122);
});

test('each field with a rule in docs/api/graphql.md exists', () => {
  const rules = readFileSync(join(root, 'docs/api/graphql.md'), 'utf8').split('## Who reads which field')[1] ?? '';
  const named = [...(rules.split('\n## ')[0] ?? '').matchAll(/`([A-Z]\w+)\.(\w+)`/g)];
  const schema = `\n${readFileSync(join(root, 'console/schema.graphql'), 'utf8')}`;
  const has = (type: string, field: string): boolean =>
    new RegExp(`^  ${field}[(:]`, 'm').test(schema.split(`\ntype ${type} `)[1]?.split('\n}')[0] ?? '');
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter(([, type = '', field = '']) => !has(type, field)).map(([name]) => name)).toEqual([]);
});

test('the tests that the page names exist', () => {
  const named = states.flatMap((state) => [...state.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path));
  const tests = named.filter((path) => path.endsWith('.test.ts'));
  expect(tests.length).toBeGreaterThan(90);
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

// In a process of its own: jest does not import modules of Node.
const tables = execFileSync(
  process.execPath,
  [
    '--input-type=module',
    '-e',
    `import { mutants } from './scripts/security/mutants.mjs';
    import { rowsWithoutMutant } from './scripts/security/rows-without-mutant.mjs';
    console.log(JSON.stringify({ mutants, rowsWithoutMutant }));`,
  ],
  { cwd: root, encoding: 'utf8' },
);
const { mutants, rowsWithoutMutant } = JSON.parse(tables) as {
  readonly mutants: readonly Readonly<Record<'row' | 'file' | 'find' | 'replacement' | 'test', string>>[];
  readonly rowsWithoutMutant: readonly string[];
};
const namesTest = (cells: readonly string[], test: string): boolean => (cells.at(-2) ?? '').includes(`\`${test}\``);

test('each requirement that is met has a mutant, or is listed as one that has none', () => {
  const met = rows.filter((cells) => cells.at(-2)?.startsWith('met: '));
  const lacking = met.filter(
    ([, id = '', ...cells]) => !mutants.some(({ row, test }) => row === id && namesTest(cells, test)),
  );
  expect(lacking.map((cells) => `${cells[1]} ${cells.at(-3)}`)).toEqual(rowsWithoutMutant);
  expect(page).toContain(`${met.length - lacking.length} of the ${met.length} rows that are met`);
});

test('each mutant changes a text that its file has once, and its row names the test', () => {
  const strays = mutants.filter(
    ({ row, file, find, replacement, test }) =>
      find === replacement ||
      readFileSync(join(root, file), 'utf8').split(find).length !== 2 ||
      !rows.some((cells) => cells[1] === row && namesTest(cells, test)),
  );
  expect(strays).toEqual([]);
});

test('SECURITY.md says how to report a weakness, within what times, which versions are supported, and what is promised', () => {
  const policy = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const sections = policy.split('\n## ').slice(1);
  const headings = sections.map((section) => section.split('\n', 1)[0]);
  expect(headings).toEqual(['Report a weakness', 'Supported versions', 'What is promised', 'What is not']);
  expect(sections[0]).toMatch(/privately[^]*security\/advisories\/new[^]*3 working days[^]*30 days/);
  expect(sections[2]?.match(/^\* /gm)?.length).toBeGreaterThanOrEqual(5);
});
