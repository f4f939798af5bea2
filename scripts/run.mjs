// node scripts/run.mjs <compiled script> [arguments]: prepares the checkout, then runs the script in this process.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';

const [script, ...rest] = process.argv.slice(2);
const path = resolve(script);
await prepare();
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], path, ...rest];
await import(pathToFileURL(path));
