// node scripts/mongodb.mjs [--nodes=1] [--ttl=off] [--memory] -- <command>: runs the command with MONGODB_URL of a
// temporary MongoDB replica set of three nodes, or as many as given. --ttl=off disables the deletion of expired
// documents, --memory keeps the files in memory if there is room.
import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { freePorts, runWithEngine, waitUntilReady } from './engine.mjs';
import { initiateReplicaSet, mongodParameters, onLoopback, replicaSetUrl } from './mongodb-settings.mjs';
import { findMongod } from './mongodb-program.mjs';

const own = process.argv.slice(2, process.argv.indexOf('--'));
const nodes = Number(own.find((option) => /^--nodes=[1-7]$/.test(option))?.split('=')[1] ?? 3);
const ttl = !own.includes('--ttl=off');
const memory = '/dev/shm';
// Journal, oplog and data of a node take less than this.
const roomOfNode = 2 * 1024 ** 3;
const inMemory = own.includes('--memory') && roomOf(memory) > nodes * roomOfNode;
const server = findMongod();
const greeting = helloMessage();

await runWithEngine('mongodb', startSet, inMemory ? memory : undefined);

async function startSet(directory, run) {
  const ports = await freePorts(nodes);
  const started = ports.map((port) => run(server, mongodParameters(join(directory, `node-${port}`), port, { ttl })));
  await Promise.all(started.map((node, index) => waitUntilReady(node, ports[index], greeting)));
  const hosts = ports.map(onLoopback);
  await initiateReplicaSet(hosts);
  return { MONGODB_URL: replicaSetUrl(hosts) };
}

function roomOf(directory) {
  if (!existsSync(directory)) return 0;
  const { bavail, bsize } = statfsSync(directory);
  return Math.min(bavail * bsize, freemem());
}

/** OP_MSG with `{hello: 1, $db: 'admin'}`; see MongoDB's wire protocol. */
function helloMessage() {
  const body = Buffer.from('1f0000001068656c6c6f000100000002246462000600000061646d696e0000', 'hex');
  const header = Buffer.alloc(21);
  header.writeInt32LE(21 + body.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(2013, 12);
  return Buffer.concat([header, body]);
}
