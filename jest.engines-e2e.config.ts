/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import journeys from './jest.e2e.config';
import { onRealServers } from './jest.engines.config';

/** The journeys, with the processes' databases on the server at MONGODB_URL. */
const config: Config = { ...journeys, ...onRealServers, testTimeout: 240_000 };
export default config;
