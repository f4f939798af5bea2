/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import base, { esModules } from './jest.config';

/** The platform as it is deployed; `npm run test:deployed` gives the namespaces that it needs. */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/e2e/src/deployed/**/*.test.ts'],
  transformIgnorePatterns: [`/node_modules/(?!(${[...esModules, 'openid-client', 'oauth4webapi'].join('|')})/)`],
  maxWorkers: 1,
  testTimeout: 300_000,
};
export default config;
