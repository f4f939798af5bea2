import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { AttachmentStorage } from './attachment-storage';

/** Files in a folder, which a process makes when it first needs it. */
export function createFileStorage(address: URL): AttachmentStorage {
  const folder = fileURLToPath(address);
  const pathOf = (name: string): string => join(folder, name);
  const partOf = (name: string): string => `${pathOf(name)}.part`;

  return {
    async write(name, content) {
      const home = dirname(pathOf(name));
      await mkdir(home, { recursive: true, mode: 0o700 });
      try {
        await pipeline(content, createWriteStream(partOf(name), { mode: 0o600, flush: true }));
        await rename(partOf(name), pathOf(name));
        // The name of the file is safe once its folder is.
        await syncFolder(home);
      } catch (error) {
        await rm(partOf(name), { force: true });
        throw error;
      }
    },
    async read(name) {
      try {
        const file = await open(pathOf(name));
        return file.createReadStream();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async remove(name) {
      await rm(partOf(name), { force: true });
      await rm(pathOf(name), { force: true });
    },
    close: () => Promise.resolve(),
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
