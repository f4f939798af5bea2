// Creates the secrets of a local installation: `node local-keys.mjs <folder>` writes each to its own file, if missing.
// A second folder is given to the user of the images, who owns nothing in a new volume.
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

const [folder, attachments] = process.argv.slice(2);
const user = 65532;
mkdirSync(folder, { recursive: true });
if (attachments) chownSync(attachments, user, user);
for (const name of ['INTROSPECTION_SECRET', 'SEALING_KEYS', 'DELIVERY_KEYS', 'CONSOLE_CLIENT_SECRET', 'COOKIE_KEYS']) {
  const file = join(folder, name);
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o444 });
}
