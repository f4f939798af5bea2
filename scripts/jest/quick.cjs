const { existsSync } = require('node:fs');
const { join, relative } = require('node:path');

const root = join(__dirname, '../..');

/**
 * The suites of ten seconds and more. They try many values, sizes or orders of a promise whose plain case a quicker suite
 * has, or start programs. `npm test` without arguments leaves them out; `npm run test:all` and `.ci/run` have them.
 */
const longest = [
  'deploy/kubernetes',
  'deploy/monitoring',
  'embedded/src/declared-scopes',
  'embedded/src/executors',
  'embedded/src/idempotency',
  'embedded/src/people-files',
  'embedded/src/platform-on-mongodb',
  'embedded/src/references',
  'embedded/src/refused-texts',
  'embedded/src/secrets-in-answers',
  'embedded/src/worked-copies',
  'gateway/src/transport/deadline',
  'scripts/surface',
  'services/auth/src/clients/application.graphql',
  'services/auth/src/clients/declared',
  'services/auth/src/clients/write.routes',
  'services/auth/src/directory/declared',
  'services/auth/src/directory/person.write.routes',
  'services/auth/src/killed-process',
  'services/auth/src/oauth/client-assertion',
  'services/auth/src/oauth/hostile-provider',
  'services/auth/src/oauth/refresh-token.grant',
  'services/auth/src/security/throttle',
  'services/auth/src/security/throttle-bound',
  'services/auth/src/sign-in/provider-sign-in',
  'services/auth/src/sign-in/turns',
  'services/graph/src/api/create-request',
  'services/graph/src/api/incremental-copy',
  'services/graph/src/api/internal-notes',
  'services/graph/src/api/life-cycle',
  'services/graph/src/api/read-records',
  'services/graph/src/api/same-writes',
  'services/graph/src/api/tenancy',
  'services/graph/src/api/update-request',
  'services/graph/src/api/views',
  'services/graph/src/api/write-records',
  'services/graph/src/imports/import',
  'services/graph/src/killed-process',
  'services/graph/src/mails/mails',
  'services/graph/src/store/import-counts',
  'services/ui-extensions/src/compiler/content-compiler',
  'services/ui-extensions/src/compiler/large-texts',
  'services/ui-extensions/src/compiler/sandbox-pool',
  'services/ui-extensions/src/extensions/extensions-api',
  'services/ui-extensions/src/versions/versions-api',
  'services/webhook-delivery/src/app',
  'services/webhook-delivery/src/attempts/hostile-receivers',
  'services/webhook-delivery/src/attempts/killed-process',
  'services/webhook-delivery/src/attempts/leases',
  'services/webhook-delivery/src/redeliveries/redelivery',
  'services/webhook-delivery/src/signing/signing',
  'services/webhooks/src/health/notices',
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
