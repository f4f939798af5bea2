import { randomUUID } from 'node:crypto';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { PresenceRepository, PresentProcess } from './presence.repository';

interface Dependencies {
  readonly processes: PresenceRepository;
  /** Ends the leases of a process that is no more. */
  readonly endLeases: (owner: string) => Promise<void>;
  /** How long a lease lasts whose process is alive. */
  readonly leaseMilliseconds: number;
  readonly intervalMilliseconds: number;
  readonly logger: Logger;
  readonly elapsed: () => number;
}

/**
 * The heartbeat of this process while it holds leases; it also ends the leases of processes without one. Clocks are not
 * compared: a process is given up by one that has looked several times without seeing its beat change.
 */
export interface Presence {
  /** The id to lease under, which others know to be alive. */
  ownerId(): Promise<string>;
  start(): void;
  /** Others find out that we are gone, and take over what we still hold. */
  stop(): Promise<void>;
}

/** As long as this a beat counts as fresh where something is leased; less than it takes others to give us up. */
const freshMilliseconds = 1_500;
/** A beat is missed by so many looks in a row, so far apart, before its process is given up: after three seconds. */
const missedLooks = 3;
const lookMilliseconds = 900;

interface Look {
  readonly beat: number;
  at: number;
  missed: number;
}

export function createPresence(dependencies: Dependencies): Presence {
  const { processes, endLeases, leaseMilliseconds, intervalMilliseconds, logger, elapsed } = dependencies;
  let self: PresentProcess | undefined;
  let beatAt = -Infinity;
  let leasedAt = -Infinity;
  let beating: Promise<PresentProcess> | undefined;
  let stopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const looks = new Map<string, Look>();

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

  async function lookAtOthers(): Promise<void> {
    const others = (await processes.list()).filter(({ id }) => id !== self?.id);
    for (const id of looks.keys()) if (!others.some((other) => other.id === id)) looks.delete(id);
    for (const other of others.filter(missesTooMany)) if (await processes.giveUp(other)) await endLeases(other.id);
  }

  async function turn(): Promise<void> {
    try {
      const holdsLeases = elapsed() - leasedAt < leaseMilliseconds;
      if (holdsLeases && elapsed() - beatAt >= lookMilliseconds) await beatOnce();
      await lookAtOthers();
    } catch (error) {
      // While the store was away no process could beat.
      looks.clear();
      logger.warn('processes could not be looked at', { error });
    }
  }

  function keepTurning(): void {
    running = turn().finally(() => {
      running = undefined;
      if (!stopped) timer = setTimeout(keepTurning, intervalMilliseconds);
    });
  }

  return {
    async ownerId() {
      leasedAt = elapsed();
      const { id } = self && elapsed() - beatAt < freshMilliseconds ? self : await beatOnce();
      return id;
    },
    start: keepTurning,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
