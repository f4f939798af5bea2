import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createCatalog } from './catalog';
import type { Catalog } from './catalog';
import { compactLog, newLogPath } from './log/compaction';
import { lockDirectory } from './log/directory-lock';
import { createLogJournal } from './log/log-journal';
import { openLogWriter } from './log/log-writer';
import { readLog } from './log/read-log';
import { memoryJournal } from './journal';
import type { Journal } from './journal';
import { createReplay } from './replay';

export interface Store {
  readonly catalog: Catalog;
  readonly journal: Journal;
  close(): Promise<void>;
}

export interface Logger {
  warn(message: string, facts?: object): void;
}

/** The log is compacted when it is this many times as large as its live data, and has at least `compactionBytes`. */
const compactionFactor = 4;
const compactionBytes = 16 * 1024 * 1024;

export function createMemoryStore(): Store {
  return { catalog: createCatalog(memoryJournal), journal: memoryJournal, close: () => Promise.resolve() };
}

/** Opens the data of a directory. Rejects with one sentence when the directory is in use, damaged or not writable. */
export async function openStore(path: string, logger?: Logger): Promise<Store> {
  const directory = resolve(path);
  const unlock = await prepareDirectory(directory);
  try {
    return await openLog(join(directory, 'data.log'), unlock, logger);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function prepareDirectory(directory: string): Promise<() => Promise<void>> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return await lockDirectory(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`The data directory ${directory} cannot be written (${code})`, { cause: error });
  }
}

async function openLog(path: string, unlock: () => Promise<void>, logger?: Logger): Promise<Store> {
  await rm(newLogPath(path), { force: true });
  // Changes that are replayed from the log must not be logged again.
  let append: Journal['append'] = () => undefined;
  const catalog = createCatalog({ ...memoryJournal, append: (entry, undo) => append(entry, undo) });
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  const replay = createReplay();
  const whole = size === 0 ? 0 : await readLog(path, replay.apply);
  replay.finish(catalog);
  if (whole < size) logger?.warn('dropped an incomplete last write', { path, bytes: size - whole });

  let compacting: Promise<void> | undefined;
  /** The size of the log from which it may be compacted. */
  let compactFrom = compactionBytes;
  const journal = createLogJournal(await openLogWriter(path, whole), {
    onWritten() {
      if (!compacting && journal.bytes >= compactFrom && isWasteful(journal.bytes, catalog)) compacting = compact();
    },
    onFailure: (error) => logger?.warn(error.message, { path }),
  });
  append = journal.append;

  async function compact(): Promise<void> {
    try {
      await compactLog(path, catalog, journal);
      compactFrom = compactionBytes;
    } catch (error) {
      // On a disk without room for a second log, each write would otherwise try again, and take the room of others.
      compactFrom = journal.bytes + compactionBytes;
      logger?.warn('the data log could not be compacted', { path, error: String(error) });
    } finally {
      compacting = undefined;
    }
  }

  return {
    catalog,
    journal,
    async close() {
      await compacting;
      await journal.close().finally(unlock);
    },
  };
}

function isWasteful(logBytes: number, catalog: Catalog): boolean {
  const liveBytes = catalog.list().reduce((sum, { dataBytes, records }) => sum + dataBytes + 17 * records.size, 0);
  return logBytes > compactionFactor * liveBytes;
}
