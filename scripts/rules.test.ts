import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');
let checkout: string;

/** A separate checkout with two files, of which one calls an export of the other. */
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'itsm-rules-'));
  for (const name of ['eslint', 'typescript-eslint', 'typescript', '.package-lock.json']) {
    mkdirSync(dirname(join(checkout, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(checkout, 'node_modules', name));
  }
  mkdirSync(join(checkout, 'scripts'));
  for (const name of ['rules.mjs', 'check-inputs.mjs', 'prepare.mjs'])
    copyFileSync(join(__dirname, name), join(checkout, 'scripts', name));
  write('.gitignore', 'node_modules\n.tsc\n');
  write(
    'eslint.config.mjs',
    `import ts from 'typescript-eslint';
export default [{ ignores: ['**/.tsc/', 'scripts/'] }, {
  files: ['**/*.ts'], plugins: { '@typescript-eslint': ts.plugin },
  languageOptions: { parser: ts.parser, parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  rules: { '@typescript-eslint/no-floating-promises': 'error' } }];`,
  );
  const options = { composite: true, emitDeclarationOnly: true, rootDir: 'src', outDir: '.tsc', types: [] };
  write('part/tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'] }));
  write('part/src/caller.ts', `import { work } from './work';\nexport function call(): void {\n  work();\n}\n`);
  run('git', ['init', '--quiet']);
});
afterAll(() => rmSync(checkout, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(checkout, file)), { recursive: true });
  writeFileSync(join(checkout, file), text);
}

const run = (program: string, args: readonly string[]): { readonly status: number | null; readonly stdout: string } =>
  spawnSync(program, args, { cwd: checkout, encoding: 'utf8' });

/** Writes `work`, updates its types, and returns what the rules find. */
function rulesWhere(work: string): { readonly status: number | null; readonly stdout: string } {
  write('part/src/work.ts', work);
  const { status } = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'part']);
  expect(status).toBe(0);
  return run(process.execPath, ['scripts/rules.mjs']);
}

test('an unchanged file is linted again when the types of its imports have changed', () => {
  expect(rulesWhere('export function work(): void {}\n')).toMatchObject({ status: 0, stdout: '' });
  expect(rulesWhere('export function work(): void {\n  void 0;\n}\n')).toMatchObject({ status: 0, stdout: '' });
  const found = rulesWhere('export async function work(): Promise<void> {}\n');
  expect(found).toMatchObject({ status: 1 });
  expect(found.stdout).toContain(join(checkout, 'part/src/caller.ts'));
  expect(rulesWhere('export function work(): void {}\n')).toMatchObject({ status: 0, stdout: '' });
}, 300_000);
