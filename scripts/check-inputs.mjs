import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './prepare.mjs';

const cache = join(root, 'node_modules/.cache/check');

/** The files of the checkout, also those that are not committed yet, with their content; undefined where git does not say. */
export function readTree() {
  const { status, stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
  if (status !== 0) return undefined;
  const paths = [...new Set(stdout.toString().split('\0'))].filter((path) => path && existsSync(join(root, path)));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path))]));
}

export const isCode = (path) => /\.[cm]?[jt]sx?$/.test(path);

/** What each check depends on besides the files it reads. */
const surroundings = () => [process.version, readFileSync(join(root, 'node_modules/.package-lock.json'))];

export function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** Of the files that `reads` takes: path and content, or of the content what `part` takes. */
export const digestOf = (tree, reads, part = (_path, content) => content) =>
  digest([
    ...surroundings(),
    ...[...tree].flatMap(([path, content]) => (reads(path) ? [path, part(path, content)] : [])),
  ]);

/** The lines by which a module may load another one: rather too many than too few. */
export const loads = (content) =>
  content
    .toString()
    .split('\n')
    .filter((line) => /import|require|from|getBuiltinModule|reference/.test(line))
    .join('\n');

/** What was found at the last time, by name; an empty object at the first. */
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

/** Of each code file those of ours that it may load. */
export function importsOf(tree) {
  const code = [...tree.keys()].filter(isCode);
  const place = (from, text) => {
    if (text.startsWith('.')) return [normalize(join(dirname(from), text))];
    const [, name, rest] = /^@itsm\/([\w-]+)\/?(.*)$/.exec(text) ?? [];
    if (name === undefined) return [];
    const parts = [name, `services/${name}`, name.replace('-', '/')].map((part) => `${part}/src/`);
    // A package's own name stands for what it chooses to export.
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

/** The files themselves with all that they load, directly or not. */
export function closureOf(imports, paths) {
  const seen = new Set(paths);
  for (const path of seen) for (const loaded of imports.get(path) ?? []) seen.add(loaded);
  return seen;
}
