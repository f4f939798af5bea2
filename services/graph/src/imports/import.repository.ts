import type { Caller } from '@itsm/shared/api/identity/caller';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { Gone, Lease } from '@itsm/shared/stores/presence/presence';
import type { Connection } from 'mongoose';
import type { ReservedNumbers } from '../write/record-import';
import type { ImportFailure, ImportResults } from '@itsm/shared/contracts/imports';
import { noResults } from '@itsm/shared/declared/file-rows';
import type { RowResults } from '@itsm/shared/declared/file-rows';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { withOutbox } from '@itsm/shared/messages/outbox/outbox';
import { addResults } from './import';
import type { Import } from './import';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

interface ImportDocument extends Omit<Import, 'id' | 'caller' | 'verb' | 'isDryRun' | 'invites' | 'blank'> {
  readonly _id: string;
  readonly caller: Caller;
  /** Absent in imports of earlier releases, as the next three. */
  readonly verb?: Import['verb'];
  readonly isDryRun?: boolean;
  readonly invites?: boolean;
  readonly blank?: number;
  /** Somebody wants it to end; its process sees it after the present rows. */
  readonly isUnwanted?: true;
  readonly leaseUntil: Date;
  /** The process that leased it last. */
  readonly owner?: string;
  readonly fence: number;
  /** How often it was claimed since its last rows were counted. Absent before the first time. */
  readonly attempts?: number;
  /** The rows that another service has, until it has answered. */
  readonly sent?: SentRows;
  readonly outbox?: readonly OutboxEntry[];
  readonly outboxAt?: Date;
  readonly expiresAt: Date;
}

interface FailureDocument extends ImportFailure {
  readonly _id: string;
  readonly importId: string;
  readonly nr: number;
  readonly expiresAt: Date;
}

/** Rows that another service writes: the last line of them, and the blank ones among them. */
export interface SentRows {
  readonly line: number;
  readonly blank: number;
  /** No row follows them. */
  readonly areLast: boolean;
}

/** An import that this process works on until another process claims it with a higher `fence` (fencing token). */
export interface ClaimedImport extends Import {
  readonly fence: number;
  readonly attempts: number;
  /** It was canceled while it was worked on. */
  readonly isUnwanted?: boolean;
}

/** How an import ends; `message` says why it failed. */
export interface Ending {
  readonly state: 'done' | 'failed' | 'canceled';
  readonly message?: string;
}

/** What became of rows that were sent; `problem` is why the import failed as a whole. */
export type Counted = RowResults | { readonly problem: string };

/** The changes of one batch of rows. */
export interface Progress {
  readonly line: number;
  readonly results: ImportResults;
  readonly blank: number;
  readonly failures: readonly ImportFailure[];
  /** The numbers reserved for the next batch; null after the last. */
  readonly reserved: ReservedNumbers | null;
}

export interface ImportRepository {
  ensureIndexes(): Promise<void>;
  insert(queued: Import): Promise<void>;
  find(accountId: string, id: string): Promise<Import | undefined>;
  /** The latest ones of the account, the last one first. */
  list(accountId: string, limit: number): Promise<readonly Import[]>;
  /**
   * Ends a waiting import, and lets one that is worked on end after its present rows; undefined when it is neither.
   */
  cancel(accountId: string, id: string, now: Date): Promise<'canceled' | 'processing' | undefined>;
  countUnfinished(accountId: string): Promise<number>;
  /** Whether there is an import to claim. */
  isDue(now: Date, gone: Gone, inHand: readonly string[]): Promise<boolean>;
  /**
   * Leases the oldest import that has no lease, or one of a process that is gone; accounts in `inHand` are left out.
   */
  claim(now: Date, gone: Gone, lease: Lease, inHand: readonly string[]): Promise<ClaimedImport | undefined>;
  /** Stores the numbers for the next rows; false when another process has taken over the import. */
  reserve(claimed: ClaimedImport, reserved: ReservedNumbers): Promise<boolean>;
  /** Stores progress and renews the lease; undefined when another process has taken over the import. */
  advance(claimed: ClaimedImport, progress: Progress, now: Date, lease: Lease): Promise<ClaimedImport | undefined>;
  /**
   * Sends rows to another service with `entry`, and gives up the lease until they are answered, or until the time when they are
   * sent again. Until then no other import of the account is claimed. False when another process has taken over the import.
   */
  send(claimed: ClaimedImport, rows: SentRows, entry: OutboxEntry, now: Date, until: Date): Promise<boolean>;
  /**
   * Counts what became of the rows that were sent up to `line`, once however often it is called, and lets the import be claimed
   * again. Returns the import with what ends it, if it does; undefined when no such rows are waited for.
   */
  count(id: string, line: number, outcome: Counted, now: Date): Promise<Import | undefined>;
  finish(claimed: ClaimedImport, ending: Ending, now: Date): Promise<boolean>;
  /** Gives up the lease, so that another process can resume at once. */
  release(claimed: ClaimedImport, now: Date): Promise<void>;
  /** Failed lines in file order, after the first `after` ones. */
  failures(id: string, after: number, limit: number): Promise<readonly ImportFailure[]>;
}

export const importCollection = 'imports';

const keptMilliseconds = 30 * 24 * 60 * 60 * 1000;
/** Further failures are only counted; the log says how many are left out. */
export const mostFailuresKept = 10_000;
const unfinished = { state: { $in: ['queued', 'processing'] as Import['state'][] } };

/** Rows that wait to be sent may be as large as a file. */
const withoutOutbox = { outbox: 0 } as const;

const due = (now: Date, gone: Gone, inHand: readonly string[]) => ({
  ...unfinished,
  accountId: { $nin: [...inHand] },
  $or: [{ leaseUntil: { $lte: now } }, ...(gone.length > 0 ? [{ owner: { $in: [...gone] } }] : [])],
});

export function createImportRepository(connection: Connection): ImportRepository {
  const imports = connection.collection<ImportDocument>(importCollection);
  const failures = connection.collection<FailureDocument>('import_failures');
  const safely = { writeConcern: durable };
  const held = ({ id, fence }: ClaimedImport) => ({ _id: id, fence, ...unfinished });
  const expiryOf = ({ createdAt }: Import): Date => new Date(createdAt.getTime() + keptMilliseconds);

  /** The accounts whose rows another service has at present. */
  const waitedFor = (now: Date): Promise<string[]> =>
    imports.distinct('accountId', { state: 'processing', leaseUntil: { $gt: now }, sent: { $exists: true } });

  async function keepFailures(of: Import, list: readonly ImportFailure[]): Promise<void> {
    const from = of.results.failures;
    const kept = list.slice(0, Math.max(0, mostFailuresKept - from));
    if (kept.length === 0) return;
    const writes = kept.map((failure, index) => {
      const _id = `${of.id} ${from + index}`;
      const document = { _id, importId: of.id, nr: from + index, ...failure, expiresAt: expiryOf(of) };
      return { replaceOne: { filter: { _id }, replacement: document, upsert: true } };
    });
    await failures.bulkWrite(writes, { ordered: false, ...safely });
  }

  return {
    async ensureIndexes() {
      await ensureIndex(imports, { accountId: 1, state: 1 });
      await ensureIndex(imports, { accountId: 1, createdAt: 1 });
      await ensureIndex(imports, { state: 1, leaseUntil: 1, createdAt: 1 });
      await ensureIndex(imports, { expiresAt: 1 }, { expireAfterSeconds: 0 });
      await ensureIndex(failures, { importId: 1, nr: 1 });
      await ensureIndex(failures, { expiresAt: 1 }, { expireAfterSeconds: 0 });
    },
    async insert({ id, ...queued }) {
      const lease = { leaseUntil: new Date(0), fence: 0, expiresAt: expiryOf({ id, ...queued }) };
      await imports.insertOne({ _id: id, ...queued, ...lease }, safely);
    },
    async find(accountId, id) {
      const found = await imports.findOne({ _id: id, accountId }, { projection: withoutOutbox });
      return found ? toImport(found) : undefined;
    },
    async list(accountId, limit) {
      const found = await readForCaller(connection, 'light', (options) =>
        imports
          .find({ accountId }, { projection: withoutOutbox, ...options() })
          .sort({ createdAt: -1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(toImport);
    },
    async cancel(accountId, _id, now) {
      const waiting = { _id, accountId, state: 'queued' } as const;
      const { matchedCount } = await imports.updateOne(
        waiting,
        { $set: { state: 'canceled', updatedAt: now } },
        safely,
      );
      if (matchedCount === 1) return 'canceled';
      const change = { $set: { isUnwanted: true, updatedAt: now } as const };
      const current = await imports.updateOne({ _id, accountId, state: 'processing' }, change, safely);
      return current.matchedCount === 1 ? 'processing' : undefined;
    },
    countUnfinished: (accountId) =>
      readForCaller(connection, 'light', (options) => imports.countDocuments({ accountId, ...unfinished }, options())),
    isDue: async (now, gone, inHand) =>
      (await imports.findOne(due(now, gone, [...inHand, ...(await waitedFor(now))]), { projection: { _id: 1 } })) !==
      null,
    async claim(now, gone, { owner, until }, inHand) {
      const found = await imports.findOneAndUpdate(
        due(now, gone, [...inHand, ...(await waitedFor(now))]),
        { $set: { state: 'processing', leaseUntil: until, owner, updatedAt: now }, $inc: { fence: 1, attempts: 1 } },
        { sort: { createdAt: 1 }, returnDocument: 'after', projection: withoutOutbox, ...safely },
      );
      return found ? toClaimed(found) : undefined;
    },
    async reserve(claimed, reserved) {
      const { matchedCount } = await imports.updateOne(held(claimed), { $set: { reserved } }, safely);
      return matchedCount === 1;
    },
    async advance(claimed, { failures: list, ...progress }, now, { owner, until }) {
      await keepFailures(claimed, list);
      const change = { $set: { ...progress, leaseUntil: until, owner, updatedAt: now } };
      const how = { returnDocument: 'after', projection: withoutOutbox, ...safely } as const;
      const found = await imports.findOneAndUpdate(held(claimed), change, how);
      return found ? toClaimed(found) : undefined;
    },
    async send(claimed, sent, entry, now, until) {
      const waiting = { sent, leaseUntil: until, updatedAt: now, ...withOutbox([entry], now) };
      // Rows that are sent again take the place of those that may still wait there.
      const change = { $set: waiting, $unset: { owner: '' } } as const;
      // With the line, since the rows may have been counted meanwhile.
      const { matchedCount } = await imports.updateOne({ ...held(claimed), line: claimed.line }, change, safely);
      return matchedCount === 1;
    },
    async count(id, line, outcome, now) {
      const waiting = { _id: id, state: 'processing', 'sent.line': line } as const;
      const found = await imports.findOne(waiting, { projection: withoutOutbox });
      if (!found?.sent) return undefined;
      const { sent, isUnwanted } = found;
      const before = toImport(found);
      const again = { leaseUntil: new Date(0), updatedAt: now, attempts: 0 };
      if ('failures' in outcome) await keepFailures(before, outcome.failures);
      const change =
        'problem' in outcome
          ? { ...again, state: 'failed' as const, message: outcome.problem }
          : {
              ...again,
              line,
              blank: before.blank + sent.blank,
              results: addResults(before.results, outcome.results),
              ...(isUnwanted ? { state: 'canceled' as const } : sent.areLast && { state: 'done' as const }),
            };
      const counted = await imports.findOneAndUpdate(
        waiting,
        { $set: change, $unset: { sent: '' } },
        { returnDocument: 'after', projection: withoutOutbox, ...safely },
      );
      return counted ? toImport(counted) : undefined;
    },
    async finish(claimed, { state, message = null }, now) {
      const change = { $set: { state, message, updatedAt: now } };
      const { matchedCount } = await imports.updateOne(held(claimed), change, safely);
      return matchedCount === 1;
    },
    async release(claimed, now) {
      await imports.updateOne(held(claimed), { $set: { leaseUntil: new Date(0), updatedAt: now } }, safely);
    },
    async failures(id, after, limit) {
      const found = await readForCaller(connection, 'light', (options) =>
        failures
          .find({ importId: id, nr: { $gte: after } }, options())
          .sort({ nr: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(({ line, column, message }) => ({ line, column, message }));
    },
  };
}

const toClaimed = (document: ImportDocument): ClaimedImport => ({
  ...toImport(document),
  fence: document.fence,
  attempts: document.attempts ?? 0,
  isUnwanted: document.isUnwanted === true,
});

const toImport = ({ _id, ...stored }: ImportDocument): Import => ({
  id: _id,
  accountId: stored.accountId,
  caller: stored.caller,
  type: stored.type,
  verb: stored.verb ?? null,
  isDryRun: stored.isDryRun ?? false,
  invites: stored.invites ?? false,
  state: stored.state,
  bytes: stored.bytes,
  results: stored.results ?? noResults,
  blank: stored.blank ?? 0,
  line: stored.line,
  reserved: stored.reserved ?? null,
  message: stored.message,
  createdAt: stored.createdAt,
  updatedAt: stored.updatedAt,
});
