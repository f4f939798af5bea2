import { randomUUID } from 'node:crypto';
import type { Connection, Model, QueryFilter } from 'mongoose';
import type { Clock } from '../../base/time/clock';
import type { Logger } from '../../observing/logs/logger';
import { createPresenceRepository } from './presence.repository';
import type { PresentProcess } from './presence.repository';

interface Dependencies {
  readonly connection: Connection;
  readonly logger: Logger;
  /**
   * The interval of checks of other processes, 1 s by default; doubled while neither they nor this process hold leases.
   */
  readonly intervalMilliseconds?: number | undefined;
  /** A monotonic clock in milliseconds. */
  readonly elapsed?: (() => number) | undefined;
}

/** Ids of processes that were given up recently; their leases are void. */
export type Gone = readonly string[];

/** The owner and the expiry of a lease. */
export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/** Work in the store that processes lease. */
export interface Leasable<T> {
  /** Whether there is anything to claim; checked first when a claim would cost a heartbeat. */
  isDue(now: Date, gone: Gone): Promise<boolean>;
  /** Leases work that is due, or that a process that is gone had leased. */
  claim(now: Date, gone: Gone, lease: Lease): Promise<T | undefined>;
}

interface Due {
  /** When the work is due; while it is leased, when the lease expires. */
  readonly dueAt?: Date;
  readonly owner?: string;
}

/** Leases documents of a collection, those that are due longest first. */
export function leasing<D extends Due, T>(documents: Model<D>, toWork: (document: D) => T): Leasable<T> {
  const dueOrLeft = (now: Date, gone: Gone): QueryFilter<Due> => ({
    $or: [{ dueAt: { $lte: now } }, ...(gone.length > 0 ? [{ dueAt: { $gt: now }, owner: { $in: [...gone] } }] : [])],
  });
  return {
    isDue: async (now, gone) => (await documents.exists(dueOrLeft(now, gone))) !== null,
    async claim(now, gone, { owner, until }) {
      const lease = { $set: { dueAt: until, owner } };
      const found = await documents.findOneAndUpdate(dueOrLeft(now, gone), lease, { sort: { dueAt: 1 } }).lean();
      return found ? toWork(found) : undefined;
    },
  };
}

/**
 * A failure detector: the heartbeat of this process while it holds leases, and checks of the others' heartbeats. Clocks
 * are not compared: a process is given up when several checks in a row have not seen its beat change.
 */
export interface Presence {
  /**
   * The owner id for a lease of that length; the heartbeat runs meanwhile. `isInUse` (pass the same function each time)
   * reports whether leases are still held, so that the heartbeat can end soon after the work.
   */
  ownerId(milliseconds: number, isInUse?: () => boolean): Promise<string>;
  /** Claims work under the owner id for that long. An idle process writes nothing until something is due. */
  claim<T>(from: Leasable<T>, milliseconds: number, now: Clock): Promise<T | undefined>;
  /**
   * Whether leases under `owner` are still respected by others; reads the store only after this process was frozen for
   * a while.
   */
  holds(owner: string): Promise<boolean>;
  /** `takeOver` is called with the id of each process that this one gives up. */
  onGone(takeOver: (owner: string) => Promise<void> | void): void;
  start(): void;
  /** Signs off, so that others take over its leases at once. */
  stop(): Promise<void>;
}

/** How long a beat counts as fresh for a new lease; shorter than the time after which others give this process up. */
const freshMilliseconds = 1_500;
/** A process is given up after three checks without a new beat, at least 0.9 s apart: about three seconds. */
const missedLooks = 3;
const lookMilliseconds = 900;
/**
 * How long the heartbeat continues after the work: `isInUse` does not see a lease that is just being taken, and more
 * work may follow.
 */
const lingerMilliseconds = 10_000;
/** The maximum length of a lease, after which a process that was given up can be forgotten. */
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
  /** Leases whose holders can report whether they are still in use. */
  const uses = new Map<() => boolean, Use>();
  let claiming = 0;
  let beating: Promise<PresentProcess> | undefined;
  let stopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const looks = new Map<string, Look>();
  /** By id of a process that was given up: how long it may still have leases. */
  const gone = new Map<string, number>();

  /**
   * Writes a heartbeat. A process that was given up takes a new id, as its old leases may be taken over at any moment.
   */
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
    if (timer && !running && !hasLeases()) scheduleTick();
    const until = elapsed() + milliseconds;
    if (isInUse) uses.set(isInUse, { until, lingersUntil: elapsed() + Math.min(lingerMilliseconds, milliseconds) });
    else holdsUntil = Math.max(holdsUntil, until);
  }

  /** Signs off when no lease is held, so that nobody waits for another beat. */
  async function leave(): Promise<void> {
    const left = self;
    if (!left || beating) return;
    self = undefined;
    await processes.giveUp(left);
  }

  function missesTooMany({ id, beat: seen }: PresentProcess, at: number): boolean {
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

  async function checkOthers(): Promise<void> {
    // Of its beginning: by their ends a quick look behind a slow one would be too early to count.
    const at = elapsed();
    const others = (await processes.list()).filter(({ id }) => id !== self?.id);
    for (const id of looks.keys()) if (!others.some((other) => other.id === id)) looks.delete(id);
    for (const [id, until] of gone) if (until <= elapsed()) gone.delete(id);
    for (const other of others.filter((one) => missesTooMany(one, at)))
      if (await processes.giveUp(other)) await takeOver(other);
  }

  async function tick(): Promise<void> {
    try {
      if (!isHolding()) await leave();
      else if (elapsed() - beatAt >= lookMilliseconds) await beatOnce();
      await checkOthers();
    } catch (error) {
      // During an outage of the store no process could beat, so missed beats must not count.
      looks.clear();
      logger.warn('processes could not be looked at', { error });
    }
  }

  function scheduleTick(milliseconds = intervalMilliseconds): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(runTick, milliseconds);
  }

  function runTick(): void {
    running = tick().finally(() => {
      running = undefined;
      scheduleTick(isHolding() || looks.size > 0 ? intervalMilliseconds : 2 * intervalMilliseconds);
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
    start: runTick,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
