/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import journeys from './jest.e2e.config';
import { nothingSkipped } from './jest.engines.config';

/** All journeys: on the MongoDB at MONGODB_URL unless one is about the embedded store, and with the servers that some of them need. */
const config: Config = { ...journeys, reporters: nothingSkipped };
export default config;
