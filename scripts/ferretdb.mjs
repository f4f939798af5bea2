// node scripts/ferretdb.mjs -- <command>: runs the command with MONGODB_URL of a FerretDB that lives as long as the command.
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, freePorts, runWithEngine, waitUntilReady } from './engine.mjs';
import { root, say, stop } from './prepare.mjs';
import { startFront } from '../tools/ferretdb/front/front.mjs';

const sources = join(root, 'tools/ferretdb');
const server = build(join(sources, 'dist/ferretdb'));
// isMaster in the oldest form of the protocol, which a server answers before anything is agreed upon.
const greeting = queryMessage('admin.$cmd', Buffer.from('130000001069734d6173746572000100000000', 'hex'));

await runWithEngine('ferretdb', async (directory, run) => {
  const [port] = await freePorts(1);
  mkdirSync(join(directory, 'databases'));
  const ferretdb = run(server, ['-listen', `127.0.0.1:${port}`, '-directory', join(directory, 'databases')]);
  await waitUntilReady(ferretdb, port, greeting, 30);
  const url = `mongodb://127.0.0.1:${await startFront(port)}`;
  return { MONGODB_URL: url, FERRETDB_PORT: `${port}`, CANNOT: 'tools/ferretdb/cannot.json', TEST_PATIENCE: '12' };
});

/** Compiles the program when it is missing or older than what it is made of. */
function build(program) {
  const newest = Math.max(...['go.mod', 'go.sum', 'main.go'].map((file) => statSync(join(sources, file)).mtimeMs));
  if ((statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0) > newest) return program;
  const go = findProgram(
    ['go', '/usr/local/go/bin/go'],
    'Go is not installed; version 1.24 or newer is needed: https://go.dev/dl/',
  );
  say('Building FerretDB; the first time takes about a minute…');
  const { status } = spawnSync(go, ['build', '-o', program, '.'], { cwd: sources, stdio: 'inherit' });
  return status === 0 ? program : stop('FerretDB could not be built; the lines above say why.');
}

/** OP_QUERY; see MongoDB's wire protocol. */
function queryMessage(collection, query) {
  const body = Buffer.concat([
    Buffer.alloc(4),
    Buffer.from(`${collection}\0`),
    Buffer.from([0, 0, 0, 0, 255, 255, 255, 255]),
    query,
  ]);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + body.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(2004, 12);
  return Buffer.concat([header, body]);
}
