/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import base from './jest.config';

/** The platform as it is deployed; `npm run test:deployed` gives the namespaces that it needs. */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/e2e/src/deployed/**/*.test.ts'],
  maxWorkers: 1,
  testTimeout: 1_200_000,
};
export default config;
