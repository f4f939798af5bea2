import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Mounts a disk of that size (`64m`) at the directory, which only root can. It can be filled, and has room again. */
export function mountDisk(directory: string, size: string) {
  const ballast = join(directory, 'ballast');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory]);
  return {
    /** Leaves about that many bytes. */
    fill(left: number): void {
      const { bavail, bsize } = statfsSync(directory);
      const file = openSync(ballast, 'a');
      try {
        for (let rest = bavail * bsize - left; rest > 0; rest -= bsize) writeSync(file, Buffer.alloc(bsize));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(ballast),
    // Lazily, since a killed process may still hold files for a moment.
    remove: () => execFileSync('umount', ['--lazy', directory]),
  };
}
