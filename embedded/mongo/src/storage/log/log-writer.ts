import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { logSignature } from './read-log';

/** A file that only grows. */
export interface LogWriter {
  readonly bytes: number;
  write(parts: readonly Buffer[]): Promise<void>;
  /** Cuts off what a failed write left. */
  cutBack(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a log for appending after its first `bytes` bytes, cutting off what follows; 0 starts it over. */
export async function openLogWriter(path: string, bytes: number): Promise<LogWriter> {
  const file = await open(path, bytes === 0 ? 'w' : 'r+', 0o600);
  let written = bytes;
  try {
    await file.truncate(bytes);
    if (bytes === 0) written = await append(file, logSignature, 0);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    get bytes() {
      return written;
    },
    async write(parts) {
      written = await append(file, Buffer.concat(parts), written);
    },
    cutBack: () => file.truncate(written),
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}

async function append(file: FileHandle, bytes: Buffer, at: number): Promise<number> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
  return at + done;
}
