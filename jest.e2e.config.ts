/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import base from './jest.config';

/** Journeys through the whole platform, one at a time: each starts real processes. */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/e2e/**/*.test.ts'],
  maxWorkers: 1,
  testTimeout: 120_000,
};
export default config;
