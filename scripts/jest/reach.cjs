const { relative } = require('node:path');
const { journeys, long } = require('./touched.cjs');

/** On a slow machine (scripts/engines.mjs) the long journeys are left to `npm run test:long`. */
const isLeftToLongRun = (path) => process.env.SLOW_MACHINE === 'true' && long.some((name) => journeys[name].test(path));

/** Leaves out the test files that the change does not reach, and says which (scripts/reach.mjs). */
module.exports = async (paths) => {
  const { changedFiles, reachOf } = await import('../reach.mjs');
  const { root } = await import('../prepare.mjs');
  const { reason, isReached } = reachOf(changedFiles());
  const late = paths.map((path) => relative(root, path)).filter(isLeftToLongRun);
  if (late.length > 0) process.stderr.write(`Left to npm run test:long by a slow machine: ${late.join(', ')}\n`);
  const filtered = paths.filter((path) => isReached(relative(root, path)) && !late.includes(relative(root, path)));
  const out = paths.filter((path) => !filtered.includes(path)).map((path) => `  ${relative(root, path)}\n`);
  if (reason) process.stderr.write(`Everything runs: ${reason}.\n`);
  else
    process.stderr.write(
      `${out.length} of ${paths.length} files are left out, which the change does not reach:\n${out.join('')}`,
    );
  return { filtered };
};
