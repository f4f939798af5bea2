import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Clock } from '../../base/time/clock';
import type { Logger } from '../../observing/logs/logger';
import { createPresenceRepository } from './presence.repository';
import type { PresentProcess } from './presence.repository';

interface Dependencies {
  readonly connection: Connection;
  readonly logger: Logger;
  /** How often other processes are looked at, default 1 s; half as often while none of them, nor this one, leases anything. */
  readonly intervalMilliseconds?: number | undefined;
  /** Milliseconds of a clock that only moves forward. */
  readonly elapsed?: (() => number) | undefined;
}

/** Processes that were given up lately: what they have leased is free. */
export type Gone = readonly string[];

/** Who leases, and until when. */
export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/** Where `dueAt` is also the end of the lease: what is due, or was left behind by a process that is gone. */
export const dueOrLeft = (now: Date, gone: Gone) => ({
  $or: [{ dueAt: { $lte: now } }, ...(gone.length > 0 ? [{ dueAt: { $gt: now }, owner: { $in: [...gone] } }] : [])],
});

/** Work that stands in the store until some process leases it. */
export interface Leasable<T> {
  /** Whether there is anything to claim; asked where a claim would first cost a beat. */
  isDue(now: Date, gone: Gone): Promise<boolean>;
  claim(now: Date, gone: Gone, lease: Lease): Promise<T | undefined>;
}

/**
 * The heartbeat of this process while it holds leases; it also gives up processes whose heartbeat stands still. Clocks are not
 * compared: a process is given up by one that has looked several times without seeing its beat change.
 */
export interface Presence {
  /**
   * The id to lease under for so long, which others know to be alive. `isInUse`, always the same function, says whether anything is
   * still leased; then the heartbeat ends soon after the work.
   */
  ownerId(milliseconds: number, isInUse?: () => boolean): Promise<string>;
  /** Claims under such an id, for so long. A process that has leased nothing lately writes nothing before something is due. */
  claim<T>(from: Leasable<T>, milliseconds: number, now: Clock): Promise<T | undefined>;
  /** Whether others still leave alone what is leased under `owner`; asks the store only after a standstill. */
  holds(owner: string): Promise<boolean>;
  /** `takeOver` is called with the id of each process that this one gives up. */
  onGone(takeOver: (owner: string) => Promise<void> | void): void;
  start(): void;
  /** Others find out that we are gone, and take over what we still hold. */
  stop(): Promise<void>;
}

/** As long as this a beat counts as fresh where something is leased; less than it takes others to give us up. */
const freshMilliseconds = 1_500;
/** A beat is missed by so many looks in a row, so far apart, before its process is given up: after three seconds. */
const missedLooks = 3;
const lookMilliseconds = 900;
/** Work that has ended keeps its process present for as long: a lease that is being taken is not seen by `isInUse` yet, and more work may come. */
const lingerMilliseconds = 10_000;
/** No lease lasts longer; then nothing is left of a process that was given up. */
const goneMilliseconds = 180_000;

interface Use {
  readonly until: number;
  readonly lingersUntil: number;
}

interface Look {
  readonly beat: number;
  at: number;
  missed: number;
}

export function createPresence(dependencies: Dependencies): Presence {
  const { connection, logger, intervalMilliseconds = 1_000, elapsed = () => performance.now() } = dependencies;
  const processes = createPresenceRepository(connection);
  const listeners: ((owner: string) => Promise<void> | void)[] = [];
  let self: PresentProcess | undefined;
  let beatAt = -Infinity;
  let holdsUntil = -Infinity;
  /** Leases of which their user can say whether there are any. */
  const uses = new Map<() => boolean, Use>();
  let claiming = 0;
  let beating: Promise<PresentProcess> | undefined;
  let stopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const looks = new Map<string, Look>();
  /** Processes that were given up, and until when something of theirs may be left. */
  const gone = new Map<string, number>();

  /** A process that was given up goes on under another id: leases of the former one are ended at any moment. */
  async function beat(): Promise<PresentProcess> {
    const at = elapsed();
    const next = self && { ...self, beat: self.beat + 1 };
    if (next && (await processes.beat(next))) self = next;
    else {
      self = undefined;
      const entered = { id: randomUUID(), beat: 1 };
      await processes.enter(entered);
      self = entered;
    }
    beatAt = at;
    return self;
  }

  const beatOnce = (): Promise<PresentProcess> => (beating ??= beat().finally(() => (beating = undefined)));

  async function freshId(): Promise<string> {
    const { id } = self && elapsed() - beatAt < freshMilliseconds ? self : await beatOnce();
    return id;
  }

  const hasLeases = (): boolean =>
    elapsed() < holdsUntil ||
    [...uses].some(
      ([isInUse, { until, lingersUntil }]) => elapsed() < lingersUntil || (elapsed() < until && isInUse()),
    );
  const isHolding = (): boolean => claiming > 0 || hasLeases();
  function holdFor(milliseconds: number, isInUse?: () => boolean): void {
    if (timer && !running && !hasLeases()) turnLater();
    const until = elapsed() + milliseconds;
    if (isInUse) uses.set(isInUse, { until, lingersUntil: elapsed() + Math.min(lingerMilliseconds, milliseconds) });
    else holdsUntil = Math.max(holdsUntil, until);
  }

  /** Nothing is leased any more under our id: nobody has to wait for another beat. */
  async function leave(): Promise<void> {
    const left = self;
    if (!left || beating) return;
    self = undefined;
    await processes.giveUp(left);
  }

  function missesTooMany({ id, beat: seen }: PresentProcess): boolean {
    const at = elapsed();
    const look = looks.get(id);
    if (look?.beat !== seen) looks.set(id, { beat: seen, at, missed: 0 });
    else if (at - look.at >= lookMilliseconds) {
      look.at = at;
      look.missed += 1;
    }
    return (looks.get(id)?.missed ?? 0) >= missedLooks;
  }

  async function takeOver({ id }: PresentProcess): Promise<void> {
    logger.info('a process is not heard of any more: what it had leased is free', { process: id });
    gone.set(id, elapsed() + goneMilliseconds);
    for (const listener of listeners) await listener(id);
  }

  async function lookAtOthers(): Promise<void> {
    const others = (await processes.list()).filter(({ id }) => id !== self?.id);
    for (const id of looks.keys()) if (!others.some((other) => other.id === id)) looks.delete(id);
    for (const [id, until] of gone) if (until <= elapsed()) gone.delete(id);
    for (const other of others.filter(missesTooMany)) if (await processes.giveUp(other)) await takeOver(other);
  }

  async function turn(): Promise<void> {
    try {
      if (!isHolding()) await leave();
      else if (elapsed() - beatAt >= lookMilliseconds) await beatOnce();
      await lookAtOthers();
    } catch (error) {
      // While the store was away no process could beat.
      looks.clear();
      logger.warn('processes could not be looked at', { error });
    }
  }

  function turnLater(milliseconds = intervalMilliseconds): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(keepTurning, milliseconds);
  }

  function keepTurning(): void {
    running = turn().finally(() => {
      running = undefined;
      turnLater(isHolding() || looks.size > 0 ? intervalMilliseconds : 2 * intervalMilliseconds);
    });
  }

  return {
    ownerId(milliseconds, isInUse) {
      holdFor(milliseconds, isInUse);
      return freshId();
    },
    async claim(from, milliseconds, now) {
      if (!isHolding() && !(await from.isDue(now(), [...gone.keys()]))) return undefined;
      claiming += 1;
      try {
        const owner = await freshId();
        const until = new Date(now().getTime() + milliseconds);
        const claimed = await from.claim(now(), [...gone.keys()], { owner, until });
        if (claimed !== undefined) holdFor(milliseconds);
        return claimed;
      } finally {
        claiming -= 1;
      }
    },
    holds: async (owner) => (await freshId()) === owner,
    onGone: (listener) => void listeners.push(listener),
    start: keepTurning,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
