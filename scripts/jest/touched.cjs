/**
 * Journeys by their subject, with suites that start the whole platform for one subject. In `.ci/run` a group runs when a file
 * below a folder that touches it has changed, or a file of the tests that its journey imports; of many, a part by turns
 * (scripts/reach.mjs). The printed examples and the tour always run. `npm run test:long` has all of them.
 */
const journeys = {
  /** These take minutes, and repeat one promise under many faults, races or addresses. */
  faults: /^e2e\/src\/faults\//,
  operations: /^e2e\/src\/operations\//,
  races: /^e2e\/src\/oauth\/races\.test\.ts$/,

  deployed: /^e2e\/src\/deployed\//,
  processes:
    /^e2e\/src\/(addresses\/|nodes\/|full-disk|power-cut|services-alone|start\.|operate\.|demo-story)|^embedded\/src\/(clocks|platform-on-mongodb|request-log)\./,
  identity: /^e2e\/src\/(oauth\/(?!documentation|races)|console\/step-up)|^embedded\/src\/console\./,
  /** People who work with records, and programs that do. */
  records: /^e2e\/src\/(records\/|console\/(days|desk|record-forms|record-lists))/,
  notices: /^e2e\/src\/console\/(mentions|notices)/,
  webhooks: /^e2e\/src\/(webhooks\/|console\/webhook-jobs)/,
  extensions: /^e2e\/src\/(ui-extensions\/|console\/build-jobs)/,
  /** Settings that are added to the declarations of a compiled copy. */
  declared: /^e2e\/src\/console\/added-settings/,
  /**
   * How the console itself looks and behaves, whatever answers it: every screen, each state, failures, forms, releases, lists. A
   * service that changes an answer is seen in its own suites and in the journeys of those who use it.
   */
  console:
    /^e2e\/src\/console\/(?!added-settings|step-up|days|desk|mentions|notices|record-forms|record-lists|webhook-jobs|build-jobs)/,
};

const long = ['faults', 'operations', 'races'];
/**
 * The journeys of a minute or more, in the order in which they start. A fresh clone has no durations yet, and Jest then
 * orders by the size of a file, which says little of a journey. Those that mostly wait for a fault to pass come beside those
 * that need the processor. Parts of journeys by turns have equally many of them.
 */
const longest = [
  'console/states',
  'faults/faults',
  'operations/operations',
  'console/failures',
  'deployed/deployed',
  'console/webhook-jobs',
  'operations/mongodb-addresses',
  'oauth/own-security-pages',
  'console/screens',
  'oauth/races',
].map((name) => `e2e/src/${name}.test.ts`);

const all = Object.keys(journeys);
const withoutNetworks = all.filter((name) => !long.includes(name));
const pages = ['console', 'records', 'notices', 'webhooks', 'extensions'];
/** All that people do, without what is about processes, networks and faults. */
const everyday = [...pages, 'identity', 'declared'];
const none = [];

/**
 * By folder or file, the longest that fits first: which of them a change touches, because it could be seen nowhere else. What
 * is in none of them touches all.
 */
const touched = {
  'shared/src/api': withoutNetworks,
  'shared/src/base': withoutNetworks,
  'shared/src/contracts': [...everyday, 'faults', 'processes'],
  'shared/src/declared': everyday,
  'shared/src/messages': all,
  'shared/src/observing': ['operations', 'processes', 'deployed'],
  'shared/src/outbound': all,
  'shared/src/pricing': pages,
  'shared/src/running': all,
  'shared/src/stores': all,
  'shared/src/testing': none,
  'services/auth/src/administration': ['identity'],
  'services/auth/src/clients': ['identity', 'declared'],
  'services/auth/src/directory': ['identity', 'records', 'faults'],
  'services/auth/src/imports': ['records'],
  'services/auth/src/factors': ['identity'],
  'services/auth/src/mailed-links': ['identity'],
  'services/auth/src/mails': ['identity'],
  'services/auth/src/oauth': ['identity', 'races'],
  'services/auth/src/profile': ['identity'],
  'services/auth/src/security': ['identity'],
  'services/auth/src/security-log': ['identity'],
  'services/auth/src/sessions': ['identity', 'races'],
  'services/auth/src/sign-in': ['identity', 'deployed'],
  'services/auth/src/testing': none,
  'services/auth/src/tokens': ['identity', 'races', 'deployed'],
  'services/graph/src/api': ['records'],
  'services/graph/src/attachments': ['records', 'deployed'],
  'services/graph/src/directory': ['records', 'faults'],
  'services/graph/src/exports': ['records'],
  'services/graph/src/forms': ['records', 'extensions'],
  'services/graph/src/imports': ['records'],
  'services/graph/src/kept': ['records'],
  'services/graph/src/mails': ['notices'],
  'services/graph/src/notices': ['records', 'notices'],
  'services/graph/src/read': ['records'],
  // A description of what is declared, without code that runs between processes.
  'services/graph/src/record-types': ['records'],
  'services/graph/src/store': ['records', 'faults'],
  'services/graph/src/testing': none,
  'services/graph/src/uploads': ['records'],
  'services/graph/src/write': ['records', 'faults'],
  'services/ui-extensions/src/compiler': ['extensions'],
  'services/ui-extensions/src/contents': ['extensions'],
  'services/ui-extensions/src/extensions': ['extensions', 'records'],
  'services/ui-extensions/src/previews': ['extensions'],
  'services/ui-extensions/src/testing': none,
  'services/ui-extensions/src/versions': ['extensions', 'records'],
  'services/webhook-delivery/src/attempts': ['webhooks', 'faults'],
  'services/webhook-delivery/src/deliveries': ['webhooks', 'faults'],
  'services/webhook-delivery/src/hosts': ['webhooks'],
  'services/webhook-delivery/src/redeliveries': ['webhooks', 'faults'],
  'services/webhook-delivery/src/signing': ['webhooks', 'deployed'],
  'services/webhook-delivery/src/testing': none,
  'services/webhooks/src/deliveries': ['webhooks', 'faults'],
  'services/webhooks/src/directory': ['webhooks', 'faults'],
  'services/webhooks/src/health': ['webhooks'],
  'services/webhooks/src/policies': ['webhooks', 'declared'],
  'services/webhooks/src/testing': none,
  'services/webhooks/src/verifications': ['webhooks'],
  'services/webhooks/src/webhooks': ['webhooks', 'declared', 'faults'],
  'gateway/documentation': none,
  'gateway/src/callers': ['identity', 'operations'],
  'gateway/src/cost-command': none,
  'gateway/src/execution': ['records'],
  'gateway/src/graphql': ['records'],
  'gateway/src/pages': ['console', 'identity', 'deployed'],
  'gateway/src/rest': ['records', 'webhooks', 'extensions'],
  'gateway/src/supergraph': ['records'],
  'gateway/src/testing': none,
  // The whole platform in one process; what is about several processes does not load it.
  embedded: [...everyday, 'processes'],
  'embedded/src/testing': none,
  console: ['console', 'identity', 'processes', 'deployed'],
  'console/src/testing': none,
  'console/browser': pages,
  'console/browser/applications': ['console', 'extensions'],
  'console/browser/deliveries': ['console', 'webhooks'],
  'console/browser/explorer': ['console'],
  'console/browser/home': ['console'],
  'console/browser/notices': ['console', 'notices'],
  'console/browser/parts': [...pages, 'declared'],
  'console/browser/records': ['console', 'records', 'notices'],
  'console/browser/signing': ['console', 'webhooks'],
  'console/browser/webhooks': ['console', 'webhooks'],
  deploy: ['deployed'],
  k8s: ['deployed'],
  Dockerfile: ['deployed'],
  '.dockerignore': ['deployed'],
  'docker-compose.yml': ['deployed'],
  bench: none,
  docs: none,
  e2e: none,
};

module.exports = { journeys, long, longest, touched };
