const { relative } = require('node:path');

/** Leaves out the test files that the change does not reach, and says which (scripts/reach.mjs). */
module.exports = async (paths) => {
  const { changedFiles, reachOf } = await import('../reach.mjs');
  const { root } = await import('../prepare.mjs');
  const { reason, isReached } = reachOf(changedFiles());
  const filtered = paths.filter((path) => isReached(relative(root, path)));
  const out = paths.filter((path) => !filtered.includes(path)).map((path) => `  ${relative(root, path)}\n`);
  if (reason) process.stderr.write(`Everything runs: ${reason}.\n`);
  else
    process.stderr.write(
      `${out.length} of ${paths.length} files are left out, which the change does not reach:\n${out.join('')}`,
    );
  return { filtered };
};
