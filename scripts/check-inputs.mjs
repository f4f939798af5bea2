import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './prepare.mjs';

const cache = join(root, 'node_modules/.cache/check');

/** The files of the checkout with their content, uncommitted ones included; undefined when git fails. */
export function readTree() {
  const { status, stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
  if (status !== 0) return undefined;
  const paths = [...new Set(stdout.toString().split('\0'))].filter((path) => path && existsSync(join(root, path)));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path))]));
}

export const isCode = (path) => /\.[cm]?[jt]sx?$/.test(path);

/** Inputs of every check besides the files that it reads. */
const surroundings = () => [process.version, readFileSync(join(root, 'node_modules/.package-lock.json'))];

export function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** The digest of the files that `reads` selects: path and content, or the `part` of the content. */
export const digestOf = (tree, reads, part = (_path, content) => content) =>
  digest([
    ...surroundings(),
    ...[...tree].flatMap(([path, content]) => (reads(path, content) ? [path, part(path, content)] : [])),
  ]);

/** Lines that may load another module; errs on the side of too many. */
export const loads = (content) =>
  content
    .toString()
    .split('\n')
    .filter((line) => /import|require|from|getBuiltinModule|reference/.test(line))
    .join('\n');

/** The stored results of the previous run by name; an empty object the first time. */
export function remembered(name) {
  try {
    return JSON.parse(readFileSync(join(cache, `${name}.json`), 'utf8'));
  } catch {
    return {};
  }
}

export function remember(name, found) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, `${name}.json`), JSON.stringify(found));
}

const specifier = /(?:\bfrom|\bimport|\bimport\(|\brequire\(|\bload\(|\bresolve\()\s*['"]([^'"\n]+)['"]/g;
const endings = ['', '.ts', '.tsx', '/index.ts', '.mjs', '.cjs', '.js', '.d.ts'];

const imports = new WeakMap();

/** By code file: the files of the checkout that it may import. A tree is read once. */
export function importsOf(tree) {
  if (!imports.has(tree)) imports.set(tree, readImports(tree));
  return imports.get(tree);
}

function readImports(tree) {
  const code = [...tree.keys()].filter(isCode);
  const place = (from, text) => {
    if (text.startsWith('.')) return [normalize(join(dirname(from), text))];
    const [, name, rest] = /^@itsm\/([\w-]+)\/?(.*)$/.exec(text) ?? [];
    if (name === undefined) return [];
    const parts = [name, `services/${name}`, `packages/${name}`].map((part) => `${part}/src/`);
    // An import of a package by its bare name may use any file of it.
    return rest ? parts.map((part) => part + rest) : code.filter((path) => parts.some((part) => path.startsWith(part)));
  };
  return new Map(
    code.map((from) => {
      const named = [...tree.get(from).toString().matchAll(specifier)].flatMap(([, text]) => place(from, text));
      const loaded = named.flatMap((base) => endings.flatMap((end) => [base + end, base.replace(/\.[cm]?js$/, end)]));
      return [from, [...new Set(loaded)].filter((path) => tree.has(path))];
    }),
  );
}

/** The files with all files that they import, transitively. */
export function closureOf(imports, paths) {
  const seen = new Set(paths);
  for (const path of seen) for (const loaded of imports.get(path) ?? []) seen.add(loaded);
  return seen;
}

const declarations = ['declarations', 'browser'].map((folder) => join(root, 'node_modules/.cache/types', folder));

/**
 * What each file shows to those that import it: its declarations as the last run of `tsc` has kept them, else the whole file.
 */
export const shownBy = (tree) =>
  new Map(
    [...tree].map(([path, content]) => {
      const file = /\.tsx?$/.test(path) ? path.replace(/\.tsx?$/, '.d.ts') : undefined;
      const kept = file && declarations.map((folder) => join(folder, file)).find((place) => existsSync(place));
      return [path, kept ? readFileSync(kept) : content];
    }),
  );
