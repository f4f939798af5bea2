const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const { longest } = require('./touched.cjs');

/** What failed in the last run first, then the longest, then the others as Jest orders them. */
module.exports = class LongestFirst extends Sequencer {
  constructor(options) {
    super(options);
    this.longest = longest.map((path) => join(options.globalConfig.rootDir, path));
    const gone = this.longest.filter((path) => !existsSync(path));
    if (gone.length > 0) throw new Error(`scripts/jest/touched.cjs names what is gone: ${gone.join(', ')}`);
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
