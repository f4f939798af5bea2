// npm run bench -- <name>: measures and prints ratios. Each benchmark is a folder with a bench.mjs that exports `run`.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(here).filter((name) => existsSync(join(here, name, 'bench.mjs')));
const [name, ...options] = process.argv.slice(2);
if (!names.includes(name)) {
  process.stderr.write(`npm run bench -- <${names.join('|')}>\n`);
  process.exit(1);
}
// Child processes are stopped on exit.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const { run } = await import(`./${name}/bench.mjs`);
await run(options);
process.exit();
