/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import base from './jest.config';

export const nothingSkipped = [...(base.reporters ?? []), '<rootDir>/scripts/engines/nothing-skipped.mjs'];

/** The suites of the shared library and of the services, and those that compare the embedded store with a real one. */
const config: Config = {
  ...base,
  // A test that asks for the embedded store gets databases of its own on the server at MONGODB_URL.
  moduleNameMapper: { '^@itsm/embedded-mongo$': '<rootDir>/shared/src/testing/real-store.ts' },
  reporters: nothingSkipped,
  // Suites wait for their servers half of the time.
  maxWorkers: 3,
  testMatch: ['<rootDir>/{shared,services}/**/*.test.ts', '<rootDir>/packages/embedded-mongo/**/*.engine.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};
export default config;
