// node scripts/mongodb-node.mjs DIRECTORY ADDRESS PORT: one node of a replica set; it ends with this process's group.
import { spawn } from 'node:child_process';
import { findMongod } from './mongodb-program.mjs';
import { mongodParameters } from './mongodb-settings.mjs';

const [directory, address, port] = process.argv.slice(2);
const node = spawn(findMongod(), mongodParameters(directory, port, { address }), { stdio: 'inherit' });
node.on('exit', (code) => process.exit(code ?? 1));
