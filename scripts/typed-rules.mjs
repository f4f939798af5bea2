// node scripts/typed-rules.mjs: the lint rules that use types (oxlint). The result for a file depends on the types of
// everything that it imports, so a file is linted when it or one of these has changed since the file passed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { closureOf, digest, digestOf, importsOf, readTree, remember, remembered } from './check-inputs.mjs';
import { root } from './prepare.mjs';

const tree = readTree();
const keys = tree && keysOf(tree);
const before = remembered('typed-rules');
const stale = keys && [...keys.keys()].filter((path) => before[path] !== keys.get(path));

if (stale?.length !== 0) {
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  // Without a path it lints all files.
  const { status } = spawnSync(oxlint, stale ?? [], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
if (keys && !process.exitCode) {
  // A file may have been edited during the run, so a result is stored only if its key is unchanged.
  const after = keysOf(readTree());
  remember('typed-rules', Object.fromEntries([...keys].filter(([path, key]) => after.get(path) === key)));
}

/** The key of each TypeScript file: the digest of everything that its result depends on. */
function keysOf(files) {
  const everywhere = digestOf(files, isForAll);
  const imports = importsOf(files);
  const content = new Map([...files].map(([path, text]) => [path, digest([text])]));
  return new Map(
    [...imports.keys()].filter(isTypeScript).map((path) => {
      const loaded = [...closureOf(imports, [path])].sort().flatMap((one) => [one, content.get(one)]);
      return [path, digest([everywhere, ...loaded])];
    }),
  );
}

function isTypeScript(path) {
  return /\.tsx?$/.test(path);
}

/** Settings, and declarations that are visible without an import. */
function isForAll(path, text) {
  if (/(^|\/)(\.oxlintrc|tsconfig|package)\.json$|\.d\.ts$|^console\/schema\.graphql$/.test(path)) return true;
  return isTypeScript(path) && /\bdeclare (global|module)\b/.test(text.toString());
}
