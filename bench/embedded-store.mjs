// The embedded store in memory, in a separate process, so that its cost is not counted as the service's.
import { createRequire } from 'node:module';
import { answer } from './measure.mjs';

const { startEmbeddedMongo } = createRequire(import.meta.url)('../packages/embedded-mongo/dist/server.js');
const mongo = await startEmbeddedMongo();
answer({ url: ({ database }) => mongo.urlOf(database) });
