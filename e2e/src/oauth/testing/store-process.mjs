// The embedded store as a process of its own: node store-process.mjs DIRECTORY. Prints its address, ends on SIGTERM.
import { createRequire } from 'node:module';

const { startEmbeddedMongo } = createRequire(import.meta.url)('@itsm/embedded-mongo');

const mongo = await startEmbeddedMongo({ directory: process.argv[2] });
process.once('SIGTERM', () => void mongo.close());
process.stdout.write(`${mongo.url}\n`);
