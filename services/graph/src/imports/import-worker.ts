import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Leasable, Presence } from '@itsm/shared/stores/presence/presence';
import type { RecordImporter, ReservedNumbers } from '../write/record-import';
import type { Mutations, Verb } from '../write/mutations';
import type { RecordType } from '../record-types/record-type';
import { createItemWriter, readItems } from './bulk-items';
import { BrokenFileError, readCsvRows } from './csv-rows';
import { addResults } from './import';
import type { Import } from './import';
import { importBatch, inBatches, readFirstRow, readHeader } from './import-batch';
import type { Batch } from './import-batch';
import type { ImportFileRepository } from './import-file.repository';
import type { ClaimedImport, Ending, ImportRepository, Progress } from './import.repository';
import { peopleRowsEntry } from './people-rows';

interface Dependencies {
  readonly imports: ImportRepository;
  readonly files: ImportFileRepository;
  readonly importer: RecordImporter;
  readonly mutationsOf: (typeName: RecordType['name']) => Mutations;
  readonly presence: Presence;
  /** Sends the messages that imports have at once. */
  readonly sendMessages: () => void;
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

const leaseMilliseconds = 60_000;
const mostAttempts = 50;
/** Longer than another service ever takes for rows: a message that is lost is sent again. */
const answerMilliseconds = 10 * 60_000;
/** Concurrent imports of one process, each of another account. */
const mostInHand = 16;

/** A batch that was read while the one before it was written; no batch after the last. */
interface Ahead {
  readonly batch: Batch | undefined;
  readonly reserved: ReservedNumbers | null;
}

/** An import as a generator: each `next` imports one batch of rows. */
type Steps = AsyncGenerator<void, void>;

/**
 * Processes waiting imports: of each account the oldest, round-robin over accounts, one batch of rows per turn. After
 * each turn it rests for as long as the turn took. Any replica resumes where another one stopped.
 */
export function createImportWorker(dependencies: Dependencies): ImportWorker {
  const { imports, files, importer, presence, sendMessages, logger, now, pollMilliseconds, rests } = dependencies;
  const writeItem = createItemWriter(dependencies);
  /** The claimed imports by account, in round-robin order. */
  const inHand = new Map<string, Steps>();
  let stopping = false;
  let working: Promise<void> | undefined;
  let nudged = false;
  let timer: NodeJS.Timeout | undefined;

  async function finish(claimed: ClaimedImport, ending: Ending): Promise<void> {
    if (await imports.finish(claimed, ending, now())) await files.remove(claimed.id);
    const { id, accountId, type } = claimed;
    const { state, message: because = null } = ending;
    logger.info('import finished', { importId: id, accountId, type, state, because });
  }

  async function advance(claimed: ClaimedImport, progress: Progress): Promise<ClaimedImport | undefined> {
    const owner = await presence.ownerId(leaseMilliseconds);
    const at = now();
    return imports.advance(claimed, progress, at, { owner, until: new Date(at.getTime() + leaseMilliseconds) });
  }

  /** As many numbers as there are rows, since people see the gaps. */
  const reserve = ({ isDryRun }: Import, type: RecordType['name'], { rows }: Batch): Promise<ReservedNumbers | null> =>
    isDryRun || rows.length === 0 ? Promise.resolve(null) : importer.reserve(type, rows.length);

  /** One item a turn. Ends silently when another process has taken over the job. */
  async function* writeItems(claimed: ClaimedImport, verb: Verb): Steps {
    const items = await readItems(files.read(claimed.id));
    let current = claimed;
    for (const item of items.slice(claimed.line)) {
      if (current.isUnwanted) return finish(current, { state: 'canceled' });
      if (stopping) return imports.release(current, now());
      const { results, failures } = await writeItem(current, verb, item);
      const counted = { results: addResults(current.results, results), blank: 0, failures };
      const advanced = await advance(current, { line: current.line + 1, ...counted, reserved: null });
      if (!advanced) return;
      current = advanced;
      yield;
    }
    await finish(current, { state: 'done' });
  }

  /** Ends silently when another process has taken over the import. */
  async function* importFile(claimed: ClaimedImport, type: RecordType['name']): Steps {
    if (claimed.isUnwanted) return finish(claimed, { state: 'canceled' });
    const rows = readCsvRows(files.read(claimed.id));
    const header = await readHeader(rows, importer.columnsOf(type));
    const batches = inBatches(rows, claimed.line);
    async function readAhead(): Promise<Ahead> {
      const { value: batch } = await batches.next();
      return { batch, reserved: batch ? await reserve(claimed, type, batch) : null };
    }
    let current = claimed;
    let { value: batch } = await batches.next();
    if (batch && !current.reserved) {
      // Stored before any row is written, so that a retry after a crash uses the same numbers and creates no
      // duplicates.
      const reserved = await reserve(claimed, type, batch);
      if (reserved && !(await imports.reserve(current, reserved))) return;
      current = { ...current, reserved };
    }
    while (batch) {
      const [written, read] = await Promise.allSettled([
        importBatch(importer, current, type, header, batch),
        readAhead(),
      ]);
      const { results, failures } = valueOf(written);
      // The rows of this batch are counted even if the file breaks after them.
      const reserved = read.status === 'fulfilled' ? read.value.reserved : null;
      const counted = { results: addResults(current.results, results), blank: current.blank + batch.blank };
      const advanced = await advance(current, { line: batch.line, ...counted, reserved, failures });
      if (!advanced) return;
      current = advanced;
      ({ batch } = valueOf(read));
      if (!batch) break;
      if (current.isUnwanted) return finish(current, { state: 'canceled' });
      yield;
      if (stopping) return imports.release(current, now());
    }
    await finish(current, { state: 'done' });
  }

  /** Sends the next rows to the service that has the people, which answers with a message. No process waits for it. */
  async function sendPeople(claimed: ClaimedImport): Promise<void> {
    if (claimed.isUnwanted) return finish(claimed, { state: 'canceled' });
    const rows = readCsvRows(files.read(claimed.id));
    const headers = await readFirstRow(rows);
    const batches = inBatches(rows, claimed.line);
    // A file without rows is sent too, as its columns may be wrong.
    const batch = (await batches.next()).value ?? { rows: [], blank: 0, line: claimed.line };
    const [next] = await Promise.allSettled([batches.next()]);
    // What is wrong with later rows is said after these.
    const areLast = next.status === 'fulfilled' && next.value.done === true;
    const { line, blank } = batch;
    const at = now();
    const until = new Date(at.getTime() + answerMilliseconds);
    const entry = peopleRowsEntry(claimed, headers, batch);
    if (await imports.send(claimed, { line, blank, areLast }, entry, at, until)) sendMessages();
  }

  async function* importOne(claimed: ClaimedImport): Steps {
    try {
      if (stopping) return await imports.release(claimed, now());
      if (claimed.attempts > mostAttempts)
        throw new BrokenFileError(`The import was given up after ${mostAttempts} attempts`);
      const { verb, type } = claimed;
      if (type === 'person') await sendPeople(claimed);
      else yield* verb ? writeItems(claimed, verb) : importFile(claimed, type);
    } catch (error) {
      if (error instanceof BrokenFileError) await finish(claimed, { state: 'failed', message: error.message });
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

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
