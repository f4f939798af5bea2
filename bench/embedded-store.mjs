// The embedded store in memory, in a process of its own: what it costs is not what the service costs.
import { createRequire } from 'node:module';
import { answer } from './measure.mjs';

const { startEmbeddedMongo } = createRequire(import.meta.url)('../embedded/mongo/dist/server.js');
const mongo = await startEmbeddedMongo();
answer({ url: ({ database }) => mongo.urlOf(database) });
