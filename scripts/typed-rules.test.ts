import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');
let checkout: string;

/** A separate checkout with the configuration of this one. */
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'itsm-typed-rules-'));
  const tools = ['oxlint', '@oxlint', 'oxlint-tsgolint', '@oxlint-tsgolint', '@typescript'];
  for (const name of ['.bin', ...tools, '.package-lock.json']) {
    mkdirSync(dirname(join(checkout, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(checkout, 'node_modules', name));
  }
  mkdirSync(join(checkout, 'scripts/jest'), { recursive: true });
  const scripts = ['typed-rules.mjs', 'check-inputs.mjs', 'prepare.mjs', 'reach.mjs', 'jest/touched.cjs'];
  for (const name of [...scripts.map((script) => `scripts/${script}`), '.oxlintrc.json'])
    copyFileSync(join(root, name), join(checkout, name));
  write('.gitignore', 'node_modules\n');
  const { compilerOptions: kept } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: Record<'declaration' | 'emitDeclarationOnly' | 'outDir' | 'rootDir', unknown>;
  };
  const { declaration, emitDeclarationOnly, outDir, rootDir } = kept;
  const compilerOptions = { strict: true, types: [], declaration, emitDeclarationOnly, outDir, rootDir };
  write('tsconfig.json', JSON.stringify({ compilerOptions }));
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

test('of what is imported, only its declarations and what they name count', () => {
  const check = () => {
    expect(run(process.execPath, ['node_modules/.bin/tsc']).stdout).toBe('');
    const { status, stdout } = lint();
    return { status, linted: / on (\d+) files? /.exec(stdout)?.[1], found: /part\/src\/(\w+)\.ts/.exec(stdout)?.[1] };
  };
  write('part/src/work.ts', 'export interface Work {\n  run(): void;\n}\nexport const work = (): number => 1;\n');
  write('part/src/inferred.ts', `import { work } from './work';\nexport const use = () => work();\n`);
  write('part/src/naming.ts', `import type { Work } from './work';\nexport const same = (of: Work) => of;\n`);
  write('part/src/caller.ts', `import { use } from './inferred';\nexport const call = () => {\n  use();\n};\n`);
  write(
    'part/src/other.ts',
    `import { same } from './naming';\nexport const call = () => same({ run: () => {} }).run();\n`,
  );
  expect(check()).toMatchObject({ status: 0, linted: '5' });
  write('part/src/work.ts', 'export interface Work {\n  run(): void;\n}\nexport const work = (): number => 2;\n');
  expect(check()).toMatchObject({ status: 0, linted: '1' });
  write('part/src/work.ts', 'export interface Work {\n  run(): void;\n}\nexport const work = async () => 2;\n');
  expect(check()).toMatchObject({ status: 1, found: 'caller' });
  write('part/src/work.ts', 'export interface Work {\n  run(): 1 | void;\n}\nexport const work = (): number => 1;\n');
  // All but the caller: what it imports shows a number, and no name.
  expect(check()).toMatchObject({ status: 0, linted: '4' });
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
