import { join } from 'node:path';
import { root } from './prepare.mjs';

const flags = [
  '--disable-warning=ExperimentalWarning',
  // Every suite reloads our modules; a larger young generation saves a fifth of the time for garbage collection.
  '--max-semi-space-size=32',
];

/** Suites that the change does not reach are left out in `.ci/run`, unless it is the long run. */
const selection =
  process.env.REACH === 'true' ? ['--filter', join(root, 'scripts/jest/reach.cjs'), '--passWithNoTests'] : [];

/** The command line of jest with these arguments. Workers inherit the flags, child processes of tests do not. */
export const jestCommand = (...args) => [
  process.execPath,
  ...flags,
  join(root, 'node_modules/jest/bin/jest.js'),
  ...selection,
  ...args,
];

/**
 * Tests run in production mode, like the containers. It is also faster: otherwise graphql validates each value twice.
 */
export const jestEnvironment = { ...process.env, NODE_ENV: 'production' };
