const { relative } = require('node:path');

/** With the other executor (scripts/executors.mjs): a change of the gateway and of its prices, or one that may be anything. */
const ofExecutors = /^(gateway|shared\/src\/pricing)\//;

/** Leaves out the test files that the change does not reach, and says which (scripts/reach.mjs). */
module.exports = async (paths) => {
  const { changedFiles, reachOf, sayReach, wideReason } = await import('../reach.mjs');
  const { readTree } = await import('../check-inputs.mjs');
  const { root } = await import('../prepare.mjs');
  const changed = changedFiles();
  const tree = readTree();
  const reach = reachOf(changed, tree);
  const isLeft =
    process.env.EXECUTOR === 'apollo' && !wideReason(changed, tree) && !changed.some((path) => ofExecutors.test(path));
  const filtered = isLeft ? [] : paths.filter((path) => reach.isReached(relative(root, path)));
  const out = paths.filter((path) => !filtered.includes(path)).map((path) => `  ${relative(root, path)}\n`);
  sayReach(reach);
  process.stderr.write(`${out.length} of ${paths.length} files are left out:\n${out.join('')}`);
  return { filtered };
};
