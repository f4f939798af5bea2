/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import base from './jest.config';

export const nothingSkipped = ['default', '<rootDir>/scripts/engines/nothing-skipped.mjs'];

/** The suites of the shared library and of the services, and those that compare the embedded store with a real one. */
const config: Config = {
  ...base,
  // A test that asks for the embedded store gets databases of its own on the server at MONGODB_URL.
  moduleNameMapper: { '^@itsm/embedded-mongo$': '<rootDir>/shared/src/testing/real-store.ts' },
  reporters: nothingSkipped,
  testMatch: ['<rootDir>/{shared,services}/**/*.test.ts', '<rootDir>/embedded/mongo/**/*.engine.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 600_000,
};
export default config;
