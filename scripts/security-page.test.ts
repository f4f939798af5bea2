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

test('each requirement is met, tested, not applicable or not met, with a reason', () => {
  expect(rows.length).toBeGreaterThan(140);
  const known = /^(met \(mutant [\da-f]{8}\): `|met by document: `|tested: `|not applicable: \S|not met: \S)/;
  expect(states.filter((state) => !known.test(state))).toEqual([]);
});

test('no requirement of ASVS is listed twice', () => {
  const ids = rows.flatMap(([, id = '']) => (/^\d+\.\d+\.\d+$/.test(id) ? [id] : []));
  const ofAsvs = ids.slice(0, 122);
  expect(new Set(ofAsvs).size).toBe(122);
});

test('the tests that the page names exist', () => {
  const named = states.flatMap((state) => [...state.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path));
  const tests = named.filter((path) => path.endsWith('.test.ts'));
  expect(tests.length).toBeGreaterThan(90);
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the documents that the page names have the part that it names', () => {
  const named = states.flatMap((state) => [...state.matchAll(/`([^`]+\.md)`, \*([^*]+)\*/g)]);
  const lacking = named.filter(
    ([, path = '', part = '']) =>
      !new RegExp(`^(?:#+ |.*\\*\\*)${part}`, 'm').test(readFileSync(join(root, path), 'utf8')),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(lacking.map(([name]) => name)).toEqual([]);
});

// In a process of its own: jest does not import modules of Node.
const script = `
  import { readFileSync } from 'node:fs';
  import { mutants } from './scripts/security/mutants.mjs';
  import { counted, provenBy, rowsOf } from './scripts/security/page.mjs';
  const page = readFileSync('docs/security.md', 'utf8');
  const rows = rowsOf(page).map((row) => ({ ...row, proof: provenBy(row.mutants) }));
  console.log(JSON.stringify({ mutants, rows, counted: counted(page) }));`;
const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' });
interface Mutant {
  readonly row: string;
  readonly file: string;
  readonly find: string;
  readonly replacement: string;
  readonly test: string;
}
interface Row {
  readonly name: string;
  readonly state: string;
  readonly mutants: readonly Mutant[];
  readonly proof: string;
}
const table = JSON.parse(output) as {
  readonly mutants: readonly Mutant[];
  readonly rows: readonly Row[];
  readonly counted: string;
};

test('a requirement is met by tests only if the mutants that it has now were killed', () => {
  const met = table.rows.filter(({ state }) => state.startsWith('met ('));
  const unproven = met.filter(({ state, mutants, proof }) => mutants.length === 0 || !state.startsWith(proof));
  expect(unproven.map(({ name }) => name)).toEqual([]);
});

test('the page counts the rows in each state', () => {
  expect(page).toMatch(/^Of \d+ rows, .* \*not applicable\*\.$/m);
  expect(page).toBe(table.counted);
});

test('each mutant changes a text that its file has once, and belongs to one row, which names the test', () => {
  const isStray = (mutant: Mutant): boolean => {
    const { file, find, replacement, test: path } = mutant;
    const [row, ...others] = table.rows.filter(({ mutants }) => mutants.some((one) => one.row === mutant.row));
    const isFoundOnce = readFileSync(join(root, file), 'utf8').split(find).length === 2;
    return !isFoundOnce || find === replacement || others.length > 0 || !row?.state.includes(`\`${path}\``);
  };
  expect(table.mutants.filter(isStray)).toEqual([]);
});

test('SECURITY.md says how to report a weakness, within what times, which versions are supported, and what is promised', () => {
  const policy = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const sections = policy.split('\n## ').slice(1);
  const headings = sections.map((section) => section.split('\n', 1)[0]);
  expect(headings).toEqual(['Report a weakness', 'Supported versions', 'What is promised', 'What is not']);
  expect(sections[0]).toMatch(/privately[^]*security\/advisories\/new[^]*3 working days[^]*30 days/);
  expect(sections[2]?.match(/^\* /gm)?.length).toBeGreaterThanOrEqual(5);
});
