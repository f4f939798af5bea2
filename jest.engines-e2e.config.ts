/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import journeys from './jest.e2e.config';
import { nothingSkipped } from './jest.engines.config';

/** Journeys that make networks on this machine, for stores of several nodes. */
export const withNetworks = '/e2e/src/(faults|operations)/';

/**
 * The journeys but for those `withNetworks`, on the MongoDB at MONGODB_URL unless one is about the embedded store, and with
 * the servers that some of them need.
 */
const config: Config = {
  ...journeys,
  reporters: nothingSkipped,
  testPathIgnorePatterns: [...(journeys.testPathIgnorePatterns ?? []), withNetworks],
};
export default config;
