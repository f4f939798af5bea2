import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

/** A file of lines that never ends the process that writes it. */
export interface LogFile {
  /** Appends the line. A line that cannot be written is dropped and counted. Returns whether it is in the file. */
  write(line: string): boolean;
}

interface Rotation {
  /** The size in bytes from which the file is put aside. */
  readonly bytes?: number;
  /** The number of files: the current one, and the older ones `<path>.1`, `<path>.2`. */
  readonly files?: number;
}

const droppedLine = (lines: number): string =>
  JSON.stringify({
    level: 'warn',
    message: 'log lines were dropped, because the log file could not be written',
    lines,
    timestamp: new Date().toISOString(),
  });

/** Opens a log file, which is rotated by size while it is written. */
export function openLogFile(path: string, rotation: Rotation = {}): LogFile {
  let dropped = 0;
  return {
    write(line) {
      try {
        appendLine(path, dropped === 0 ? line : `${droppedLine(dropped)}\n${line}`, rotation);
        dropped = 0;
        return true;
      } catch {
        dropped += 1;
        return false;
      }
    },
  };
}

/**
 * Appends the line, or throws and appends nothing. Before the file exceeds `bytes` it is put aside, and the oldest of
 * `files` is deleted. It is opened for each line: when somebody deletes it to make room, its space is really free, and
 * the next line begins another.
 */
export function appendLine(path: string, line: string, { bytes = 20 * 1024 * 1024, files = 3 }: Rotation = {}): void {
  const text = Buffer.from(`${line}\n`);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && size + text.length > bytes) putAside(path, files);
  appendWhole(path, text);
}

function putAside(path: string, files: number): void {
  const names = Array.from({ length: files }, (_, age) => (age === 0 ? path : `${path}.${age}`));
  for (let age = files - 1; age > 0; age -= 1) {
    const [from, to] = names.slice(age - 1);
    if (from !== undefined && to !== undefined && existsSync(from)) renameSync(from, to);
  }
}

function appendWhole(path: string, text: Buffer): void {
  const file = openSync(path, 'a', 0o600);
  try {
    const { size } = fstatSync(file);
    try {
      for (let done = 0; done < text.length;) done += writeSync(file, text, done);
    } catch (error) {
      // The part that still fitted would run into the next line.
      ftruncateSync(file, size);
      throw error;
    }
  } finally {
    closeSync(file);
  }
}
