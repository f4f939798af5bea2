import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { JournalEntry } from '../journal';
import { decodePayload, entryHeaderBytes, parseHeader } from './entry-codec';

/** The first bytes of every log. */
export const logSignature = Buffer.from('ITSMLOG1', 'latin1');

const chunkBytes = 4 * 1024 * 1024;

/**
 * Passes every complete entry to `onEntry`, in order. Returns the length of the log up to the last of them. Only an
 * incomplete last entry may follow. Throws when an earlier entry is damaged.
 */
export async function readLog(path: string, onEntry: (entry: JournalEntry) => void): Promise<number> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await readEntries(path, file, size, onEntry);
  } finally {
    await file.close();
  }
}

async function readEntries(
  path: string,
  file: FileHandle,
  size: number,
  onEntry: (entry: JournalEntry) => void,
): Promise<number> {
  const window = createWindow(file, size);
  const signature = await window.take(0, logSignature.length);
  if (signature.length < logSignature.length) return 0;
  if (!signature.equals(logSignature)) throw new Error(`${path} is not a data log of this program`);
  let at = logSignature.length;
  while (at < size) {
    const header = window.held(at, entryHeaderBytes) ?? (await window.take(at, entryHeaderBytes));
    if (header.length < entryHeaderBytes) return at;
    const parsed = parseHeader(header, 0);
    // Space that was allocated to the file before a power failure, but never written.
    if (!parsed && (await window.isZeroFrom(at))) return at;
    if (!parsed) throw damaged(path, at);
    const end = at + entryHeaderBytes + parsed.payloadBytes;
    if (end > size) return at;
    const [payloadAt, { payloadBytes, checksum }] = [at + entryHeaderBytes, parsed];
    const payload = window.held(payloadAt, payloadBytes) ?? (await window.take(payloadAt, payloadBytes));
    const entry = decodePayload(payload, checksum);
    if (!entry && end === size) return at;
    if (!entry) throw damaged(path, at);
    onEntry(entry);
    at = end;
  }
  return at;
}

const damaged = (path: string, at: number): Error =>
  new Error(`The data log ${path} is damaged at byte ${at}; restore it from a backup`);

/** Reads a file forward in large chunks. */
function createWindow(file: FileHandle, size: number) {
  let start = 0;
  let piece: Buffer = Buffer.alloc(0);

  /** The bytes if they are already in memory. Usually they are, which saves two awaits per entry. */
  function held(at: number, length: number): Buffer | undefined {
    const from = at - start;
    return from >= 0 && from + length <= piece.length ? piece.subarray(from, from + length) : undefined;
  }

  /** The bytes, or as many of them as the file has. */
  async function take(at: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, size - at);
    if (!held(at, wanted)) {
      const buffer = Buffer.allocUnsafe(Math.min(Math.max(chunkBytes, wanted), size - at));
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, at + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      start = at;
      piece = buffer.subarray(0, filled);
    }
    return piece.subarray(at - start, at - start + wanted);
  }

  async function isZeroFrom(at: number): Promise<boolean> {
    for (let from = at; from < size; from += chunkBytes) {
      if ((await take(from, chunkBytes)).some((byte) => byte !== 0)) return false;
    }
    return true;
  }

  return { held, take, isZeroFrom };
}
