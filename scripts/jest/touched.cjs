/**
 * Journeys that take minutes and repeat one promise under many faults, races or addresses. In `.ci/run` they run when a
 * file that they import has changed, or one below a folder that touches them; `npm run test:long` has them always.
 */
const longJourneys = {
  faults: /^e2e\/src\/faults\//,
  operations: /^e2e\/src\/operations\//,
  races: /^e2e\/src\/oauth\/races\.test\.ts$/,
};

const all = ['faults', 'operations', 'races'];
const none = [];

/** By folder, the longest that fits first: which of them a change touches. What is in none of the folders touches all. */
const touched = {
  'shared/src/api': all,
  'shared/src/base': all,
  'shared/src/contracts': ['faults'],
  'shared/src/declared': none,
  'shared/src/messages': all,
  'shared/src/observing': ['operations'],
  'shared/src/outbound': ['faults', 'operations'],
  'shared/src/pricing': none,
  'shared/src/running': all,
  'shared/src/stores': all,
  'shared/src/testing': none,
  // A description of what is declared, without code that runs between processes.
  'services/graph/src/record-types': none,
  'services/ui-extensions/src/compiler': none,
  'services/ui-extensions/src/contents': none,
  'services/ui-extensions/src/extensions': none,
  'services/ui-extensions/src/previews': none,
  'services/ui-extensions/src/versions': none,
  'services/webhooks/src/policies': ['faults'],
  'gateway/documentation': none,
  'gateway/src/pages': none,
  // The whole platform in one process; these journeys have one process for each service.
  embedded: none,
  console: none,
  bench: none,
  docs: none,
  e2e: none,
};

module.exports = { longJourneys, touched };
