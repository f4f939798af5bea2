// Bundles the browser part, and generates the types of its GraphQL documents.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const output = join(here, 'dist/browser');
const manifest = join(output, '.vite/manifest.json');
const schema = join(here, 'schema.graphql');
const schemaTypes = join(here, 'browser/api/graphql-env.d.ts');
/** Sources outside of the console that the browser part uses. */
const pricing = join(root, 'shared/src/pricing');
const shared = ['contracts/record-kinds.ts', 'declared/description.ts', 'declared/form-fields.ts'].map((path) =>
  join(root, 'shared/src', path),
);

/** Rebuilds the bundles when a source has changed; returns their number. */
export function buildConsole() {
  const sources = [
    ...['vite.config.mjs', 'build.mjs', 'package.json'].map((name) => join(here, name)),
    ...shared,
    ...[join(here, 'browser'), pricing].flatMap(filesOf).filter((file) => !file.endsWith('.d.ts')),
  ];
  if (sources.every((file) => modified(file) < modified(manifest))) return 0;
  run('vite', ['build', '--config', join(here, 'vite.config.mjs')]);
  const assets = filesOf(join(output, 'assets'));
  for (const file of assets) compress(file);
  return assets.length;
}

/** Generates the types of the documents' answers from the schema; a test compares it with the platform's. */
export function makeSchemaTypes() {
  if (modified(schema) < modified(schemaTypes)) return;
  run('gql.tada', ['generate-output', '-c', join(here, 'browser/tsconfig.json')]);
}

function compress(file) {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  );
}

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', program), args, {
    cwd: root,
    encoding: 'utf8',
    // Also when a test of another tool builds: React for tests behaves in another way.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}${stderr}`);
}

function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`Made ${buildConsole()} bundles.\n`);
