/**
 * A reporter that fails the run when a test was skipped or none was run: a missing engine must not look like success. A
 * change may reach none.
 */
export default class NothingSkipped {
  onRunComplete(_contexts, { numPendingTests, numTotalTests }) {
    if (numTotalTests === 0 && process.env.REACH !== 'true') this.error = new Error('No test was run.');
    if (numPendingTests > 0) this.error = new Error(`${numPendingTests} tests were skipped: an engine is missing.`);
  }

  getLastError() {
    return this.error;
  }
}
