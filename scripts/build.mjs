import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swc from '@swc/core';
import { buildConsole } from '../console/build.mjs';
import { buildDocumentation } from '../gateway/documentation/build.mjs';
import { compilerOptions } from './compiler-options.cjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const toolchain = Math.max(
  ...['build.mjs', 'compiler-options.cjs'].map((file) => modified(join(root, 'scripts', file))),
);

/** Built by `buildDocumentation`, `buildConsole` and `buildDemo`. */
const bundles = /^(documentation|browser)\/|^demo\/compiled-texts\.json$/;

const notCompiled = /\.(test|contract|d)\.ts$|(^|\/)testing\/|(^|\/)test-[\w-]+\.ts$/;

/**
 * Compiles changed sources of every workspace into its `dist`, deletes outputs without a source, bundles the
 * console, and builds the documentation pages and the content of the demo. Returns the number of changed files.
 */
export function build() {
  const bundled = buildDocumentation() + buildConsole();
  const compiled = workspaces().reduce((count, folder) => count + buildWorkspace(folder), bundled);
  return compiled + buildDemo();
}

/** Images are built without `embedded`, and have no demo. */
function buildDemo() {
  if (!existsSync(join(root, 'embedded/src'))) return 0;
  const output = join(root, 'embedded/dist/demo/compiled-texts.json');
  const inputs = [join(root, 'embedded/dist/demo/demo-data.js'), join(root, 'scripts/compile-demo.mjs')];
  const compiler = join(root, 'services/ui-extensions/dist');
  for (const file of filesOf(compiler)) inputs.push(join(compiler, file));
  if (Math.max(...inputs.map(modified)) < modified(output)) return 0;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/compile-demo.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The content of the demo could not be compiled; the lines above say why.');
  return 1;
}

function buildWorkspace(folder) {
  const sources = filesOf(join(folder, 'src')).filter((file) => file.endsWith('.ts') && !notCompiled.test(file));
  const outputs = new Set(sources.flatMap((file) => [toOutput(file), `${toOutput(file)}.map`]));
  for (const file of filesOf(join(folder, 'dist')))
    if (!outputs.has(file) && !bundles.test(file)) rmSync(join(folder, 'dist', file));
  const stale = sources.filter((file) => {
    const output = join(folder, 'dist', toOutput(file));
    return modified(output) <= Math.max(modified(join(folder, 'src', file)), toolchain);
  });
  for (const file of stale) compile(folder, file);
  return stale.length;
}

function compile(folder, file) {
  const source = join(folder, 'src', file);
  const output = join(folder, 'dist', toOutput(file));
  const { code, map } = swc.transformFileSync(source, { ...compilerOptions, sourceMaps: true });
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(`${output}.map`, map);
  writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
}

const toOutput = (file) => file.replace(/\.ts$/, '.js');

function workspaces() {
  const { workspaces: patterns } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [join(root, pattern)];
    const parent = join(root, pattern.slice(0, -2));
    return readdirSync(parent).map((name) => join(parent, name));
  });
}

function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true }).filter((file) => statSync(join(folder, file)).isFile());
}

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`Compiled ${build()} files.\n`);
}
