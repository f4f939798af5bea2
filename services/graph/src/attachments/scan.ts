import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Whether a file is clean; throws when nobody knows. */
export type Scan = (content: Readable) => Promise<boolean>;

/** A command that has not decided by then is ended. */
const scanMilliseconds = 60_000;

/**
 * Gives each file to the input of a command, such as `clamdscan --no-summary -`, which reads all of it: 0 says that it is
 * clean, 1 that it is not. No shell reads the command; its words are parted by blanks.
 */
export function createScan(command: string): Scan {
  const [program = '', ...parameters] = command.trim().split(/\s+/);
  return async (content) => {
    const signal = AbortSignal.timeout(scanMilliseconds);
    const scanner = spawn(program, parameters, { stdio: ['pipe', 'ignore', 'ignore'], signal });
    const ended = new Promise<number | null>((resolve, reject) => {
      scanner.once('error', reject);
      scanner.once('close', resolve);
    });
    const given = pipeline(content, scanner.stdin).then(
      () => true,
      () => false,
    );
    const code = await ended.finally(() => content.destroy());
    if (code === 1) return false;
    // A file that it did not read to the end is not clean.
    if (code === 0 && (await given)) return true;
    throw new Error(`The scan ended with ${code}`);
  };
}
