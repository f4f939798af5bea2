// The embedded store as a process of its own: node commit-store-process.mjs DIRECTORY PORT.
import { createRequire } from 'node:module';

const { startEmbeddedMongo } = createRequire(import.meta.url)('@itsm/embedded-mongo');

const [directory, port] = process.argv.slice(2);
await startEmbeddedMongo({ directory, port: Number(port) });
