// Creates the secrets of a local installation: `node local-keys.mjs <folder>` writes each to its own file, if missing.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const name of ['INTROSPECTION_SECRET', 'SEALING_KEYS', 'DELIVERY_KEYS', 'CONSOLE_CLIENT_SECRET', 'COOKIE_KEYS']) {
  const file = join(folder, name);
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o444 });
}
