import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../prepare.mjs';

// The same path each time: what jest has compiled there stays valid. Two runs at once need a TMPDIR each.
export const copy = join(tmpdir(), `mutants-of-${basename(root)}`);
const installed = join(root, 'node_modules');

/** Copies the sources, with links to what is installed. */
export function makeCopy() {
  rmSync(copy, { recursive: true, force: true });
  const isSource = (path) => !['node_modules', '.git'].includes(basename(path));
  cpSync(root, copy, { recursive: true, filter: isSource, preserveTimestamps: true });
  for (const folder of ['shared', 'gateway', 'console', 'services/auth'])
    symlinkSync(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  mkdirSync(join(copy, 'node_modules/@itsm'), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== '@itsm') symlinkSync(join(installed, name), join(copy, 'node_modules', name));
  // Relative links, which lead to the packages of the copy.
  cpSync(join(installed, '@itsm'), join(copy, 'node_modules/@itsm'), { recursive: true, verbatimSymlinks: true });
}
