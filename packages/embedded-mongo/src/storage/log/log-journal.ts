import { CommandError } from '../../errors/command-error';
import type { Journal, JournalEntry } from '../journal';
import { encodeEntry } from './entry-codec';
import type { LogWriter } from './log-writer';

export interface LogJournal extends Journal {
  /** Bytes in the file, and bytes that wait to be written. */
  readonly bytes: number;
  /** Starts to collect copies of new entries for the log that compaction writes. A failed write ends the collection. */
  collect(): void;
  takeCollected(): Buffer[];
  /**
   * Between two writes, passes the last collected entries to `prepare` and continues with the log it returns. If that
   * fails, the old log continues and nothing is lost.
   */
  switchTo(prepare: (collected: Buffer[]) => Promise<LogWriter>): Promise<void>;
}

interface Waiter {
  readonly sync: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Switch {
  readonly prepare: (collected: Buffer[]) => Promise<LogWriter>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface LogEvents {
  readonly onWritten: () => void;
  readonly onFailure: (error: Error) => void;
}

/** The longest time until a write without `j: true` is synced. It survives a crash of the process once acknowledged. */
const lazySyncMilliseconds = 100;

/** Appends to a log file with group commit: concurrent writers share one write and one sync. */
export function createLogJournal(first: LogWriter, { onWritten, onFailure }: LogEvents): LogJournal {
  let writer = first;
  let pending: Buffer[] = [];
  let undos: (() => void)[] = [];
  let pendingBytes = 0;
  let appended = 0;
  let waiters: Waiter[] = [];
  let collected: Buffer[] | undefined;
  let switching: Switch | undefined;
  let failure: Error | undefined;
  let lazySync: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function append(entry: JournalEntry, undo: () => void): void {
    undos.push(undo);
    appended += 1;
    const parts = encodeEntry(entry);
    pending.push(...parts);
    pendingBytes += parts[0].length + parts[1].length;
    collected?.push(...parts);
  }

  function flushed(sync: boolean): Promise<void> {
    if (failure) return Promise.reject(failure);
    return new Promise((resolve, reject) => {
      waiters.push({ sync, resolve, reject });
      running ??= run();
    });
  }

  async function run(): Promise<void> {
    // Group commit: waits for all writes of this event-loop turn.
    await Promise.resolve();
    while (!failure && (waiters.length > 0 || switching)) await (switching ? runSwitch(switching) : runBatch());
    running = undefined;
  }

  async function runBatch(): Promise<void> {
    const { parts, undone, waiting } = takePending();
    const sync = waiting.some((waiter) => waiter.sync);
    try {
      if (parts.length > 0) await writer.write(parts);
    } catch (error) {
      await refuse(error, undone, waiting);
      return;
    }
    try {
      if (sync) await writer.sync();
      else syncLater();
    } catch (error) {
      fail(error, waiting);
      return;
    }
    for (const { resolve } of waiting) resolve();
    onWritten();
  }

  async function runSwitch({ prepare, resolve, reject }: Switch): Promise<void> {
    switching = undefined;
    const { parts, undone, waiting } = takePending();
    try {
      // The new log has every pending entry: it was collected, or it was in memory when the snapshot was taken.
      const rest = takeCollected();
      collected = undefined;
      const next = await prepare(rest);
      // The new log is complete, so an error on closing the old one does not matter.
      const old = writer;
      writer = next;
      await old.close().catch(() => undefined);
    } catch (error) {
      pending.unshift(...parts);
      undos.unshift(...undone);
      pendingBytes += lengthOf(parts);
      waiters.unshift(...waiting);
      reject(error);
      return;
    }
    for (const waiter of waiting) waiter.resolve();
    resolve();
  }

  function takePending() {
    const taken = { parts: pending, undone: undos, waiting: waiters };
    pending = [];
    undos = [];
    waiters = [];
    pendingBytes = 0;
    return taken;
  }

  function takeCollected(): Buffer[] {
    if (!collected) throw new Error('A write failed while the log was being compacted');
    const taken = collected;
    collected = [];
    return taken;
  }

  /**
   * Rolls back the failed write and all changes after it, so that no client reads data that a restart would lose.
   * When the remains of the failed write can be cut off, later writes are accepted: there may be space again.
   */
  async function refuse(error: unknown, undone: readonly (() => void)[], waiting: readonly Waiter[]): Promise<void> {
    const later = takePending();
    for (const undo of [...undone, ...later.undone].reverse()) undo();
    collected = undefined;
    const refusal = refusalOf('The data log cannot be written, the change was rolled back', error);
    for (const { reject } of [...waiting, ...later.waiting]) reject(refusal);
    onFailure(refusal);
    await writer.cutBack().catch((cause: unknown) => fail(cause, []));
  }

  /** It is no longer known which changes in memory are in the log, so no more writes are accepted. */
  function fail(error: unknown, waiting: readonly Waiter[]): void {
    failure = refusalOf('The data log cannot be written, no further writes are accepted', error);
    for (const { reject } of [...waiting, ...waiters]) reject(failure);
    waiters = [];
    switching?.reject(failure);
    onFailure(failure);
  }

  function syncLater(): void {
    lazySync ??= setTimeout(() => {
      lazySync = undefined;
      flushed(true).catch(() => undefined);
    }, lazySyncMilliseconds);
    lazySync.unref();
  }

  return {
    checkUsable() {
      if (failure) throw failure;
    },
    append,
    get appended() {
      return appended;
    },
    flushed,
    get bytes() {
      return writer.bytes + pendingBytes;
    },
    collect() {
      collected = [];
    },
    takeCollected,
    switchTo: (prepare) =>
      new Promise((resolve, reject) => {
        if (failure) {
          reject(failure);
          return;
        }
        switching = { prepare, resolve, reject };
        running ??= run();
      }),
    async close() {
      // Failures were reported when they happened.
      await flushed(true).catch(() => undefined);
      clearTimeout(lazySync);
      await writer.close();
    },
  };
}

const lengthOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.length, 0);

/** A full disk, an exceeded quota, and a file of the largest size that the system allows. */
const noRoom: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Clients get MongoDB's own code when there is no room, so that they can tell it from a defect. */
function refusalOf(what: string, error: unknown): CommandError {
  const { message, code }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  return new CommandError(noRoom.has(code) ? 'OutOfDiskSpace' : 'InternalError', `${what}: ${message}`);
}
