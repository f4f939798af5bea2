/**
 * Journeys by their subject. In `.ci/run` a group runs when a file that one of its journeys imports has changed, or one below
 * a folder that touches it. The others always run: every screen opened once, the printed examples, and the tour.
 * `npm run test:long` has all of them.
 */
const journeys = {
  /** These take minutes, and repeat one promise under many faults, races or addresses. A slow machine leaves them out. */
  faults: /^e2e\/src\/faults\//,
  operations: /^e2e\/src\/operations\//,
  races: /^e2e\/src\/oauth\/races\.test\.ts$/,

  deployed: /^e2e\/src\/deployed\//,
  processes: /^e2e\/src\/(addresses\/|nodes\/|full-disk|power-cut|services-alone|start\.|operate\.|demo-story)/,
  identity: /^e2e\/src\/(oauth\/(?!documentation|races)|console\/step-up)/,
  records:
    /^e2e\/src\/(records\/|console\/(days|desk|finding|home|list-|long-lists|mentions|notices|people-|record-|saved-))/,
  webhooks: /^e2e\/src\/(webhooks\/|console\/webhook-jobs)/,
  extensions: /^e2e\/src\/(ui-extensions\/|console\/build-jobs)/,
  /** How the console itself behaves: each state of each screen, failures, forms, releases. */
  console:
    /^e2e\/src\/console\/(?!screens|step-up|days|desk|finding|home|list-|long-lists|mentions|notices|people-|record-|saved-|webhook-jobs|build-jobs)/,
};

const long = ['faults', 'operations', 'races'];
const all = Object.keys(journeys);
const pages = ['console', 'records', 'webhooks', 'extensions'];
/** All that people do, without what is about processes, networks and faults. */
const everyday = [...pages, 'identity'];
const none = [];

/** By folder, the longest that fits first: which of them a change touches. What is in none of the folders touches all. */
const touched = {
  'shared/src/api': all,
  'shared/src/base': all,
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
  'services/auth/src/clients': ['identity'],
  'services/auth/src/directory': ['identity', 'records', 'faults'],
  'services/auth/src/imports': ['records'],
  'services/auth/src/factors': ['identity'],
  'services/auth/src/mailed-links': ['identity'],
  'services/auth/src/profile': ['identity'],
  'services/auth/src/security': ['identity'],
  'services/auth/src/security-log': ['identity'],
  'services/auth/src/sign-in': ['identity', 'deployed'],
  'services/auth/src/testing': none,
  'services/graph/src/api': ['records'],
  'services/graph/src/attachments': ['records', 'deployed'],
  'services/graph/src/directory': ['records', 'faults'],
  'services/graph/src/exports': ['records'],
  'services/graph/src/forms': ['records', 'extensions'],
  'services/graph/src/imports': ['records'],
  'services/graph/src/kept': ['records'],
  'services/graph/src/mails': ['records'],
  'services/graph/src/notices': ['records', 'faults'],
  'services/graph/src/read': ['records'],
  // A description of what is declared, without code that runs between processes.
  'services/graph/src/record-types': ['records'],
  'services/graph/src/testing': none,
  'services/graph/src/uploads': ['records'],
  'services/graph/src/write': ['records', 'faults'],
  'services/ui-extensions/src/compiler': ['extensions'],
  'services/ui-extensions/src/contents': ['extensions'],
  'services/ui-extensions/src/extensions': ['extensions', 'records'],
  'services/ui-extensions/src/previews': ['extensions'],
  'services/ui-extensions/src/testing': none,
  'services/ui-extensions/src/versions': ['extensions', 'records'],
  'services/webhook-delivery/src/redeliveries': ['webhooks', 'faults'],
  'services/webhook-delivery/src/signing': ['webhooks', 'deployed'],
  'services/webhook-delivery/src/testing': none,
  'services/webhooks/src/health': ['webhooks', 'faults'],
  'services/webhooks/src/policies': ['webhooks', 'faults'],
  'services/webhooks/src/testing': none,
  'services/webhooks/src/verifications': ['webhooks', 'faults'],
  'services/webhooks/src/webhooks': ['webhooks', 'faults'],
  'gateway/documentation': none,
  'gateway/src/callers': ['identity', 'operations'],
  'gateway/src/cost-command': none,
  'gateway/src/execution': ['records'],
  'gateway/src/graphql': ['records'],
  'gateway/src/pages': ['console', 'identity', 'deployed'],
  'gateway/src/rest': ['records', 'webhooks', 'extensions'],
  'gateway/src/supergraph': ['records'],
  // The whole platform in one process; what is about several processes does not load it.
  embedded: [...everyday, 'processes'],
  console: [...everyday, 'processes', 'deployed'],
  'console/browser': pages,
  'console/browser/applications': ['console', 'extensions'],
  'console/browser/deliveries': ['console', 'webhooks'],
  'console/browser/notices': ['console', 'records'],
  'console/browser/records': ['console', 'records'],
  'console/browser/signing': ['console', 'webhooks'],
  'console/browser/webhooks': ['console', 'webhooks'],
  bench: none,
  docs: none,
  e2e: none,
};

module.exports = { journeys, long, touched };
