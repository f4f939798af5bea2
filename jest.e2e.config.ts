/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import base from './jest.config';

/** Journeys through the whole platform; each starts real processes, and some wait for a fault to pass. */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/e2e/**/*.test.ts'],
  // In namespaces of their own: npm run test:deployed.
  testPathIgnorePatterns: [...(base.testPathIgnorePatterns ?? []), '/e2e/src/deployed/'],
  maxWorkers: 3,
  testSequencer: '<rootDir>/scripts/jest/sequencer.cjs',
  // A start of many processes takes a minute on an idle machine.
  testTimeout: 1_200_000,
};
export default config;
