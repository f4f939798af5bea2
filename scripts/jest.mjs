import { join } from 'node:path';
import { root } from './prepare.mjs';

const flags = [
  '--disable-warning=ExperimentalWarning',
  // Every suite loads our modules again: with room for young objects, garbage takes a fifth less of the time.
  '--max-semi-space-size=32',
];

/** The command line of jest with these arguments. Its workers get the same flags; processes that tests start do not. */
export const jestCommand = (...args) => [
  process.execPath,
  ...flags,
  join(root, 'node_modules/jest/bin/jest.js'),
  ...args,
];

/** Tests run in the mode of the containers, which is also the faster one: graphql checks each value twice otherwise. */
export const jestEnvironment = { ...process.env, NODE_ENV: 'production' };
