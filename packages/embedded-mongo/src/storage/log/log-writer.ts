import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { logSignature } from './read-log';

/** An append-only file. */
export interface LogWriter {
  readonly bytes: number;
  write(parts: readonly Buffer[]): Promise<void>;
  /** Cuts off the remains of a failed write. */
  cutBack(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a log for appending after its first `bytes` bytes, and cuts off the rest. With 0 it starts a new log. */
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
