/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import journeys from './jest.e2e.config';
import { withNetworks } from './jest.engines-e2e.config';
import { nothingSkipped } from './jest.engines.config';

/**
 * The journeys that make networks on this machine. They run by themselves: a browser ends its calls when the addresses of
 * its machine change (`net::ERR_NETWORK_CHANGED`).
 */
const config: Config = {
  ...journeys,
  // Each has sets of several nodes and all services: three at once keep two cores so busy that answers come late.
  maxWorkers: 2,
  reporters: nothingSkipped,
  testMatch: withNetworks.map((folder) => `<rootDir>/e2e/src/${folder}/**/*.test.ts`),
};
export default config;
