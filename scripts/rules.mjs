// node scripts/rules.mjs [--forget]: ESLint over all files, or over those whose results may have changed since they
// passed. Rules use types, so the result for a file depends on the types of everything that it imports, which are read
// from the output of `tsc -b`. --forget neither uses nor stores results.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { closureOf, digest, digestOf, importsOf, readTree, remember, remembered } from './check-inputs.mjs';
import { root } from './prepare.mjs';

const tree = process.argv.includes('--forget') ? undefined : readTree();
const keys = tree && keysOf(tree);
const before = remembered('rules');
const stale = keys && [...keys.keys()].filter((path) => before[path] !== keys.get(path));
const isWhole = !stale || stale.length > keys.size / 2;

const eslint = new ESLint({ cwd: root, warnIgnored: false, errorOnUnmatchedPattern: false });
const results = isWhole || stale.length > 0 ? await eslint.lintFiles(isWhole ? ['.'] : stale) : [];
const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));
const failed = results.filter(({ messages }) => messages.length > 0).map(({ filePath }) => filePath);
process.exitCode = failed.length > 0 ? 1 : 0;
if (keys) {
  // A file may have been edited during the run, so a result is stored only if its key is unchanged.
  const after = keysOf(readTree());
  const passed = [...keys].filter(([path, key]) => after.get(path) === key && !failed.includes(join(root, path)));
  remember('rules', Object.fromEntries(passed));
}

/** The key of each file: the digest of everything that its result depends on. */
function keysOf(files) {
  const settings = digestOf(files, (path) => /^eslint\.config\.mjs$|(^|\/)(tsconfig[\w.]*|package)\.json$/.test(path));
  const imports = importsOf(files);
  const types = new Map([...files].map(([path, content]) => [path, digest([declarationsOf(path) ?? content])]));
  const global = [...files].filter(([path, content]) => isGlobal(path, content.toString()));
  return new Map(
    [...imports.keys()].map((path) => {
      const part = partOf(path);
      const ambient = global.flatMap(([one]) => (partOf(one) === part ? [types.get(one)] : []));
      const loaded = [...closureOf(imports, [path])].sort().flatMap((one) => [one, types.get(one)]);
      return [path, digest([settings, files.get(path), ...ambient, ...loaded])];
    }),
  );
}

/** The declarations that `tsc -b` wrote for a file. */
function declarationsOf(path) {
  const [, part, rest] = /^((?:services\/|embedded\/mongo|[\w-]+(?=\/))[\w-]*)\/(?:src\/)?(.*)\.tsx?$/.exec(path) ?? [];
  const file = part && join(root, part, '.tsc', `${rest}.d.ts`);
  return file && existsSync(file) ? readFileSync(file) : undefined;
}

/** Whether a file's types are visible without an import. */
function isGlobal(path, text) {
  if (/\.d\.ts$|^console\/schema\.graphql$/.test(path)) return true;
  return /\.tsx?$/.test(path) && (/\bdeclare (global|module)\b/.test(text) || !/^\s*(import|export)\b/m.test(text));
}

function partOf(path) {
  return /^(services\/[^/]+|[^/]+)/.exec(path)[0];
}
