const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The journeys of a minute or more, in the order in which they start. A fresh clone has no durations yet, and Jest then
 * orders by the size of a file, which says little of a journey: the longest started half-way, and one of a minute was the
 * last, while the other worker had nothing left. Journeys that mostly wait for a fault to pass come beside those that
 * need the processor.
 */
const longest = [
  'console/states',
  'faults/faults',
  'operations/operations',
  'console/failures',
  'console/webhook-jobs',
  'operations/mongodb-addresses',
  'oauth/own-security-pages',
  'console/screens',
  'oauth/races',
];

/** What failed in the last run first, then the longest, then the others as Jest orders them. */
module.exports = class LongestFirst extends Sequencer {
  constructor(options) {
    super(options);
    this.longest = longest.map((name) => join(options.globalConfig.rootDir, 'e2e/src', `${name}.test.ts`));
    const gone = this.longest.filter((path) => !existsSync(path));
    if (gone.length > 0) throw new Error(`scripts/jest/sequencer.cjs names what is gone: ${gone.join(', ')}`);
  }

  sort(tests) {
    return super.sort(tests).toSorted((one, other) => this.rank(one) - this.rank(other));
  }

  rank(test) {
    if (this.hasFailed(test)) return -1;
    const at = this.longest.indexOf(test.path);
    return at === -1 ? this.longest.length : at;
  }
};
