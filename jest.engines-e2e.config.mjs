import journeys from './jest.e2e.config.mjs';
import { onRealServers } from './jest.engines.config.mjs';

/** The journeys, with the processes' databases on the server at MONGODB_URL. */
export default { ...journeys, ...onRealServers, testTimeout: 240_000 };
