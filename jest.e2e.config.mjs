import base from './jest.config.mjs';

/** Journeys through the whole platform, one at a time: each starts real processes. */
export default { ...base, testMatch: ['<rootDir>/e2e/**/*.test.ts'], maxWorkers: 1, testTimeout: 120_000 };
