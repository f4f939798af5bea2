import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Leasable, Presence } from '@itsm/shared/stores/presence/presence';
import type { RecordImporter, ReservedNumbers } from '../write/record-import';
import { BrokenFileError, readCsvRows } from './csv-rows';
import type { CsvRow } from './csv-rows';
import { addResults } from './import';
import { importBatch, readHeader } from './import-batch';
import type { ImportFileRepository } from './import-file.repository';
import type { ClaimedImport, ImportRepository } from './import.repository';

interface Dependencies {
  readonly imports: ImportRepository;
  readonly files: ImportFileRepository;
  readonly importer: RecordImporter;
  readonly presence: Presence;
  readonly logger: Logger;
  readonly now: Clock;
  /** The interval of polls for waiting imports, in addition to nudges. */
  readonly pollMilliseconds: number;
  readonly rests: Rests;
}

export interface ImportWorker {
  start(): void;
  nudge(): void;
  /** Resolves when the current batches are written; another process resumes from there. */
  stop(): Promise<void>;
}

const rowsAtOnce = 500;
const leaseMilliseconds = 60_000;
const mostAttempts = 50;
/** Concurrent imports of one process, each of another account. */
const mostInHand = 16;

/** A batch that was read while the one before it was written; no batch after the last. */
interface Ahead {
  readonly batch: readonly CsvRow[] | undefined;
  readonly reserved: ReservedNumbers | null;
}

/** An import as a generator: each `next` imports one batch of rows. */
type Steps = AsyncGenerator<void, void>;

/**
 * Processes waiting imports: of each account the oldest, round-robin over accounts, one batch of rows per turn. After
 * each turn it rests for as long as the turn took. Any replica resumes where another one stopped.
 */
export function createImportWorker(dependencies: Dependencies): ImportWorker {
  const { imports, files, importer, presence, logger, now, pollMilliseconds, rests } = dependencies;
  /** The claimed imports by account, in round-robin order. */
  const inHand = new Map<string, Steps>();
  let stopping = false;
  let working: Promise<void> | undefined;
  let nudged = false;
  let timer: NodeJS.Timeout | undefined;

  async function finish(claimed: ClaimedImport, message: string | null): Promise<void> {
    if (await imports.finish(claimed, message, now())) await files.remove(claimed.id);
    const { id, accountId, type } = claimed;
    logger.info('import finished', { importId: id, accountId, type, because: message });
  }

  /** Ends silently when another process has taken over the import. */
  async function* importFile(claimed: ClaimedImport): Steps {
    if (claimed.fence > mostAttempts)
      throw new BrokenFileError(`The import was given up after ${mostAttempts} attempts`);
    const rows = readCsvRows(files.read(claimed.id));
    const first = await rows.next();
    const header = readHeader(first.done ? undefined : first.value, importer.columnsOf(claimed.type));
    const batches = inBatches(rows, claimed.line);
    /** The next batch with its numbers: as many as it has rows, since people see the gaps. */
    async function readAhead(): Promise<Ahead> {
      const { value: batch } = await batches.next();
      return { batch, reserved: batch ? await importer.reserve(claimed.type, batch.length) : null };
    }
    let current = claimed;
    let { value: batch } = await batches.next();
    if (batch && !current.reserved) {
      // Stored before any row is written, so that a retry after a crash uses the same numbers and creates no
      // duplicates.
      const reserved = await importer.reserve(claimed.type, batch.length);
      if (!(await imports.reserve(current, reserved))) return;
      current = { ...current, reserved };
    }
    while (batch) {
      const [written, read] = await Promise.allSettled([importBatch(importer, current, header, batch), readAhead()]);
      const { results, failures } = valueOf(written);
      // The rows of this batch are counted even if the file breaks after them.
      const reserved = read.status === 'fulfilled' ? read.value.reserved : null;
      const progress = { line: batch.at(-1)!.line, results: addResults(current.results, results), reserved };
      const owner = await presence.ownerId(leaseMilliseconds);
      const lease = { owner, until: new Date(now().getTime() + leaseMilliseconds) };
      if (!(await imports.advance(current, { ...progress, failures }, now(), lease))) return;
      current = { ...current, ...progress };
      ({ batch } = valueOf(read));
      if (!batch) break;
      yield;
      if (stopping) return imports.release(current, now());
    }
    await finish(current, null);
  }

  async function* importOne(claimed: ClaimedImport): Steps {
    try {
      if (stopping) await imports.release(claimed, now());
      else yield* importFile(claimed);
    } catch (error) {
      if (error instanceof BrokenFileError) await finish(claimed, error.message);
      else logger.error('import interrupted, it is tried again', { importId: claimed.id, error });
    }
  }

  const waitingBeside = (accounts: readonly string[]): Leasable<ClaimedImport> => ({
    isDue: (at, gone) => imports.isDue(at, gone, accounts),
    claim: (at, gone, lease) => imports.claim(at, gone, lease, accounts),
  });

  async function claimMore(): Promise<void> {
    while (inHand.size < mostInHand && !stopping) {
      nudged = false;
      const claimed = await presence.claim(waitingBeside([...inHand.keys()]), leaseMilliseconds, now);
      if (claimed) inHand.set(claimed.accountId, importOne(claimed));
      else if (!nudged) return;
    }
  }

  async function workOff(): Promise<void> {
    await claimMore();
    for (let [next] = inHand; next; [next] = inHand) {
      const [accountId, steps] = next;
      inHand.delete(accountId);
      const { done } = await rests.after(() => steps.next());
      if (!done) inHand.set(accountId, steps);
      if (done || nudged) await claimMore();
    }
  }

  function nudge(): void {
    nudged = true;
    if (stopping || working) return;
    working = workOff()
      .catch((error: unknown) => logger.error('waiting imports could not be looked for', { error }))
      .finally(() => {
        working = undefined;
      });
  }

  presence.onGone(nudge);
  return {
    start() {
      nudge();
      timer = setInterval(nudge, pollMilliseconds);
    },
    nudge,
    async stop() {
      stopping = true;
      clearInterval(timer);
      rests.end();
      await working;
    },
  };
}

/** The rows after `line`, in batches of `rowsAtOnce`. */
async function* inBatches(rows: AsyncIterable<CsvRow>, line: number): AsyncGenerator<readonly CsvRow[], undefined> {
  let batch: CsvRow[] = [];
  for await (const row of rows) {
    if (row.line <= line) continue;
    batch.push(row);
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
  return undefined;
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
