/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import journeys from './jest.e2e.config';
import { nothingSkipped } from './jest.engines.config';

/** Folders of journeys that make networks on this machine, for stores of several nodes. */
export const withNetworks = ['faults', 'operations'];

/**
 * The journeys but for those `withNetworks`, on the MongoDB at MONGODB_URL unless one is about the embedded store, and with
 * the servers that some of them need.
 */
const config: Config = {
  ...journeys,
  reporters: nothingSkipped,
  testPathIgnorePatterns: [
    ...(journeys.testPathIgnorePatterns ?? []),
    ...withNetworks.map((folder) => `/e2e/src/${folder}/`),
  ],
};
export default config;
