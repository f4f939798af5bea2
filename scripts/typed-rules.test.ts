import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');
let checkout: string;

/** A separate checkout with the configuration of this one. */
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'itsm-typed-rules-'));
  for (const name of ['.bin', 'oxlint', '@oxlint', 'oxlint-tsgolint', '@oxlint-tsgolint', '.package-lock.json']) {
    mkdirSync(dirname(join(checkout, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(checkout, 'node_modules', name));
  }
  mkdirSync(join(checkout, 'scripts/jest'), { recursive: true });
  const scripts = ['typed-rules.mjs', 'check-inputs.mjs', 'prepare.mjs', 'reach.mjs', 'jest/touched.cjs'];
  for (const name of [...scripts.map((script) => `scripts/${script}`), '.oxlintrc.json'])
    copyFileSync(join(root, name), join(checkout, name));
  write('.gitignore', 'node_modules\n');
  write('tsconfig.json', JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] } }));
  run('git', ['init', '--quiet']);
});
afterEach(() => rmSync(checkout, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(checkout, file)), { recursive: true });
  writeFileSync(join(checkout, file), text);
}

const run = (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync(program, args, { cwd: checkout, encoding: 'utf8', env: { ...process.env, REACH: '', ...env } });

const lint = (env?: Readonly<Record<string, string>>) => run(process.execPath, ['scripts/typed-rules.mjs'], env);

test('an unchanged file is linted again when one of its imports has changed', () => {
  write('part/src/caller.ts', `import { work } from './work';\nexport function call(): void {\n  work();\n}\n`);
  const lintWhere = (work: string) => {
    write('part/src/work.ts', work);
    return lint();
  };
  expect(lintWhere('export function work(): void {}\n')).toMatchObject({ status: 0 });
  expect(lint()).toMatchObject({ status: 0, stdout: '' });
  const found = lintWhere('export async function work(): Promise<void> {}\n');
  expect(found).toMatchObject({ status: 1 });
  expect(found.stdout).toContain('part/src/caller.ts');
  expect(lint()).toMatchObject({ status: 1 });
  expect(lintWhere('export function work(): void {}\n')).toMatchObject({ status: 0 });
});

test('in a run with a base, the files are linted that import what has changed since', () => {
  const commit = () => {
    run('git', ['add', '.']);
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'one']);
  };
  const careless = `import { work } from './work';\nexport function call(): void {\n  work();\n}\n`;
  write('part/src/work.ts', 'export function work(): void {}\n');
  write('part/src/caller.ts', careless);
  // It was there before, so the base had not passed: nothing of the change can turn it red.
  write('part/src/other.ts', 'Promise.resolve(1);\n');
  commit();
  write('part/src/work.ts', 'export async function work(): Promise<void> {}\n');
  commit();
  const { status, stdout } = lint({ REACH: 'true', BASE: 'HEAD~1' });
  expect(status).toBe(1);
  expect(stdout).toContain('part/src/caller.ts');
  expect(stdout).not.toContain('part/src/other.ts');
  expect(lint({ REACH: 'true', BASE: 'HEAD' }).stdout).toContain('part/src/other.ts');
});

test.each([
  ['no-floating-promises', 'Promise.resolve(1);'],
  ['no-misused-promises', 'export const odd = [1, 2].map((one) => (Promise.resolve(one) ? 1 : 2));'],
  ['await-thenable', 'export const odd = async () => await 1;'],
  ['no-unsafe-assignment', 'export const odd: string = JSON.parse("1");'],
  ['no-unsafe-member-access', 'export const odd = () => void JSON.parse("1").part;'],
  ['no-unsafe-return', 'export const odd = () => JSON.parse("1");'],
  ['no-unsafe-call', 'export const odd = () => void JSON.parse("1")();'],
  ['restrict-template-expressions', 'export const odd = (of: object) => `${of}`;'],
  ['no-base-to-string', 'export const odd = (of: object) => String(of);'],
  ['switch-exhaustiveness-check', 'export function odd(of: 1 | 2): void {\n  switch (of) {\n    case 1:\n  }\n}'],
  ['only-throw-error', 'export function odd(): never {\n  throw "text";\n}'],
  ['unbound-method', 'export class Odd {\n  of() {\n    return this;\n  }\n}\nexport const { of } = new Odd();'],
])('the rule %s is on', (rule, code) => {
  write('part/src/odd.ts', `${code}\nexport {};\n`);
  const { status, stdout } = lint();
  expect({ status, rules: [...stdout.matchAll(/typescript\(([\w-]+)\)/g)].map(([, found]) => found) }).toEqual({
    status: 1,
    rules: expect.arrayContaining([rule]),
  });
});
