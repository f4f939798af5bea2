// node scripts/mongodb-node.mjs DIRECTORY ADDRESS PORT [OPTION...]: one node of a replica set, with further options of
// mongod; it ends with this process group. With --alone it is a standalone server.
import { spawn } from 'node:child_process';
import { findMongod } from './mongodb-program.mjs';
import { mongodParameters } from './mongodb-settings.mjs';

const [directory, address, port, ...further] = process.argv.slice(2);
const alone = further.includes('--alone');
const options = further.filter((option) => option !== '--alone');
const node = spawn(findMongod(), [...mongodParameters(directory, port, { address, alone }), ...options], {
  stdio: 'inherit',
});
node.on('exit', (code) => process.exit(code ?? 1));
