import base from './jest.config.mjs';

/** Whoever asks for the embedded store gets databases of their own on the server at MONGODB_URL. */
export const onRealServers = {
  moduleNameMapper: { '^@itsm/embedded-mongo$': '<rootDir>/shared/src/testing/real-store.ts' },
  setupFilesAfterEnv: ['<rootDir>/scripts/engines/expect-failures.cjs'],
  reporters: ['default', '<rootDir>/scripts/engines/nothing-skipped.mjs'],
};

/** The suites of the shared library and of the services, and those that compare the embedded store with a real one. */
export default {
  ...base,
  ...onRealServers,
  testMatch: ['<rootDir>/{shared,services}/**/*.test.ts', '<rootDir>/embedded/mongo/**/*.engine.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.tsc/'],
  testTimeout: 150_000,
};
