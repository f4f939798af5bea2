// A process that runs suites of the copy, one at a time, as product.mjs asks: what is loaded stays loaded, which saves most of
// the time. `{ suite, limit }` is answered with the counts of its tests.
import { join } from 'node:path';
import { runCLI } from 'jest';
import { copy } from './copy.mjs';

process.chdir(copy);
// Ends with the process that asked.
process.on('disconnect', () => process.exit());
process.on('message', ({ suite, limit }) => {
  const config = join(copy, 'jest.config.ts');
  const options = {
    _: [suite],
    config,
    runTestsByPath: true,
    runInBand: true,
    silent: true,
    reporters: [],
    testTimeout: limit,
  };
  const answer = ({ results }) => {
    const { numFailedTests: failed, numPassedTests: passed, success, testResults } = results;
    const red = testResults.flatMap((one) => one.testResults).find(({ status }) => status === 'failed');
    const isLate = red?.failureMessages.some((text) => text.includes('Exceeded timeout')) ?? false;
    const { rss: memory } = process.memoryUsage();
    process.send({ isGreen: success && passed > 0, failed, passed, cause: red?.title, isLate, memory });
  };
  runCLI(options, [copy]).then(answer, (error) =>
    process.send({ isGreen: false, failed: 0, passed: 0, cause: String(error) }),
  );
});
