const { relative } = require('node:path');

/** Leaves out the test files that the change does not reach, and says which (scripts/reach.mjs). */
module.exports = async (paths) => {
  const { changedFiles, reachOf, reachesExecutors, sayReach } = await import('../reach.mjs');
  const { readTree } = await import('../check-inputs.mjs');
  const { root } = await import('../prepare.mjs');
  const changed = changedFiles();
  const tree = readTree();
  const reach = reachOf(changed, tree);
  const runs = process.env.EXECUTOR !== 'apollo' || reachesExecutors(changed, tree);
  const filtered = paths.filter((path) => runs && reach.isReached(relative(root, path)));
  const out = paths.filter((path) => !filtered.includes(path)).map((path) => `  ${relative(root, path)}\n`);
  sayReach(reach);
  process.stderr.write(`${out.length} of ${paths.length} files are left out:\n${out.join('')}`);
  return { filtered };
};
