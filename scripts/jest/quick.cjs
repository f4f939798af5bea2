const { existsSync } = require('node:fs');
const { join, relative } = require('node:path');

const root = join(__dirname, '../..');

/**
 * Suites that take a quarter of the time. They try many values, parts or orders of a promise whose plain case a quicker
 * suite has, or start programs. `npm test` without arguments leaves them out; `npm run test:all` and `.ci/run` have them.
 */
const longest = [
  'deploy/monitoring',
  'embedded/src/clocks',
  'embedded/src/declared-scopes',
  'embedded/src/described-types',
  'embedded/src/executors',
  'embedded/src/platform-on-mongodb',
  'embedded/src/references',
  'embedded/src/refused-texts',
  'embedded/src/worked-copies',
  'scripts/surface',
  'services/auth/src/killed-process',
  'services/auth/src/oauth/hostile-provider',
  'services/auth/src/security/throttle-bound',
  'services/graph/src/api/same-writes',
  'services/graph/src/killed-process',
  'services/webhook-delivery/src/attempts/hostile-receivers',
  'services/webhook-delivery/src/attempts/killed-process',
];

const paths = longest.map((name) => join(root, `${name}.test.ts`));

/** @param {string[]} all the paths of all suites */
async function filter(all) {
  const gone = paths.filter((path) => !existsSync(path)).map((path) => relative(root, path));
  if (gone.length > 0) throw new Error(`scripts/jest/quick.cjs names what is gone: ${gone.join(', ')}`);
  process.stderr.write(
    `Without the ${longest.length} longest of ${all.length} suites; npm run test:all has them too.\n`,
  );
  return { filtered: all.filter((path) => !paths.includes(path)) };
}
module.exports = Object.assign(filter, { longest });
