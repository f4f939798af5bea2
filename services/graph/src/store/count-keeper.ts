import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { recordCountsRepaired } from '@itsm/shared/observing/metrics/metrics';
import type { Runner } from '@itsm/shared/running/module';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import type { RecordType } from '../record-types/record-type';
import type { Sweep, SweepRepository } from './count-sweeps.repository';
import type { RecordCounts } from './record-counts.repository';

interface Dependencies {
  readonly countsOf: ReadonlyMap<RecordType['name'], RecordCounts>;
  readonly sweeps: SweepRepository;
  readonly presence: Presence;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Keeps the counts of records short of marked ones, and checks them. They are exact without it, but slow to read. */
export interface CountKeeper extends Runner {
  /** Records of an account were marked as not counted. */
  note(typeName: RecordType['name'], accountId: string, records: number): void;
  /** Many records are written without marks, within some minutes before or after this. */
  forget(typeName: RecordType['name'], accountId: string): Promise<void>;
  /** Counts marked records, of any process, and does the sweeps that are due. */
  work(): Promise<void>;
}

/** As many marked records are counted at once; a fold costs about as much as 60 of them. */
const enough = 250;
const tickMilliseconds = 30_000;
/** Marked records of processes that have ended are looked for at every so many ticks. */
const ticksUntilLook = 2;
/** A rolling update is over by then: an earlier release marks nothing. */
export const firstSweepMilliseconds = 600_000;
/** Counts are begun again for that long at least: a batch of an import is written within that time, by all clocks. */
export const leastHeldMilliseconds = 300_000;
export const sweepMilliseconds = 24 * 60 * 60 * 1_000;
/** Longer than the pages of one tick take. */
const leaseMilliseconds = 60_000;
/** Pages that sweeps look at in a tick, some seconds of work: folds and other replicas have their turn in between. */
const pagesAtOnce = 100;

export function createCountKeeper({ countsOf, sweeps, presence, logger, now }: Dependencies): CountKeeper {
  /** Records that this process has marked, by type and account. */
  const noted = new Map<
    string,
    { readonly typeName: RecordType['name']; readonly accountId: string; records: number }
  >();
  /** Until when this process has held counts, by type and account: one command serves all batches of some minutes. */
  const held = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  let ticks = 0;
  let stopping = false;

  // A series that begins with 1 has not increased, for an alert.
  for (const type of countsOf.keys()) recordCountsRepaired.inc({ type }, 0);

  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);

  async function fold(counts: RecordCounts, accountId: string): Promise<void> {
    while (!stopping && (await counts.fold(accountId, later(firstSweepMilliseconds)))) continue;
  }

  async function foldNoted(least: number): Promise<void> {
    for (const [key, { typeName, accountId, records }] of noted) {
      const counts = countsOf.get(typeName);
      if (records < least || !counts) continue;
      noted.delete(key);
      await fold(counts, accountId);
    }
  }

  async function foldLeft(): Promise<void> {
    for (const counts of countsOf.values())
      for (const accountId of await counts.waiting()) await fold(counts, accountId);
  }

  /** Checks pages until all are checked, or none are left for this tick; returns when it goes on. */
  async function sweepOn({ type, accountId }: Sweep, counts: RecordCounts, hasTurn: () => boolean): Promise<Date> {
    while (hasTurn()) {
      const swept = await counts.sweep(accountId, now());
      if (!swept) continue;
      if ('heldUntil' in swept) return swept.heldUntil;
      const { unmarked, wrong } = swept;
      if (unmarked > 0 || wrong.length > 0) {
        recordCountsRepaired.inc({ type });
        logger.error('counts of records were wrong and have been repaired', { type, accountId, unmarked, wrong });
      }
      return later(sweepMilliseconds);
    }
    return now();
  }

  async function sweepDue(): Promise<void> {
    let pages = 0;
    const hasTurn = (): boolean => !stopping && pages++ < pagesAtOnce;
    while (!stopping && pages < pagesAtOnce) {
      const sweep = await presence.claim(sweeps, leaseMilliseconds, now);
      if (!sweep) return;
      const counts = countsOf.get(sweep.type as RecordType['name']);
      // A type that is declared no more, or not yet here, is left alone for a day.
      await sweeps.release(sweep, counts ? await sweepOn(sweep, counts, hasTurn) : later(sweepMilliseconds));
    }
  }

  const begin = async (): Promise<void> => {
    for (const counts of countsOf.values()) await counts.begin(later(firstSweepMilliseconds));
  };

  /** One piece of work after the other; a failed one is repeated by a later tick. */
  const inTurn = (...works: readonly (() => Promise<void>)[]): Promise<void> =>
    (working = working.then(async () => {
      try {
        for (const work of works) await work();
      } catch (error) {
        logger.warn('records could not be counted and wait for the next try', { error });
      }
    }));

  function tick(): void {
    ticks += 1;
    const look = ticks % ticksUntilLook === 0 ? [foldLeft] : [];
    void inTurn(() => foldNoted(1), ...look, sweepDue);
  }

  return {
    note(typeName, accountId, records) {
      if (!timer || records === 0) return;
      const key = `${typeName} ${accountId}`;
      const before = noted.get(key)?.records ?? 0;
      noted.set(key, { typeName, accountId, records: before + records });
      if (before < enough && before + records >= enough) void inTurn(() => foldNoted(enough));
    },
    async forget(typeName, accountId) {
      const key = `${typeName} ${accountId}`;
      const left = (held.get(key)?.getTime() ?? 0) - now().getTime();
      // More is left only after the clock was put back.
      if (left >= leastHeldMilliseconds && left <= firstSweepMilliseconds) return;
      for (const [other, end] of held) if (end <= now()) held.delete(other);
      const until = later(firstSweepMilliseconds);
      await countsOf.get(typeName)?.forget(accountId, until);
      held.set(key, until);
    },
    work: () => inTurn(begin, foldLeft, sweepDue),
    start() {
      void inTurn(begin, foldLeft);
      timer = setInterval(tick, tickMilliseconds);
      timer.unref();
    },
    async stop() {
      stopping = true;
      clearInterval(timer);
      await working;
    },
  };
}
