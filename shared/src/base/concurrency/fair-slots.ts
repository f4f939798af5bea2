/** Jobs of many owners (accounts, addresses) on few slots. */
export interface FairSlots {
  /**
   * Runs `job` when a slot is free. Waiting jobs are taken in turn from one owner after the other, so that an owner with
   * many jobs makes others wait for one of them at most. Rejects with `crowded` when too many wait already, or when one of an owner
   * with fewer takes its place, and with the reason of `signal` when that aborts first. A job counts for `weight` among all that wait.
   */
  run<T>(owner: string, job: () => Promise<T>, signal?: AbortSignal, weight?: number): Promise<T>;
  /** Whether a job of `owner` would begin at once. */
  isFreeFor(owner: string): boolean;
  /** Whether a job of `owner` with the weight of one would be refused now. */
  isCrowdedFor(owner: string): boolean;
}

export interface FairSlotsOptions {
  /** Jobs at once. */
  readonly limit: number;
  /** Jobs of one owner at once. */
  readonly perOwner: number;
  /** Whether an owner has no more than are free at that moment, so that a few with many jobs leave room for the next one. */
  readonly leavesRoom?: boolean;
  /** Waiting jobs of one owner. */
  readonly mostWaiting: number;
  /**
   * Weight of the waiting jobs of all owners when one more of this owner comes; without limit by default. When it is reached, the newest
   * job of the owner that has most of them waiting makes room for one of an owner that will still have no more than that.
   */
  readonly mostWaitingOverall?: number | ((owner: string) => number);
  /** The refusal of a job that may not even wait, because of what waits of its owner or of all. */
  readonly crowded: (by: 'owner' | 'all') => Error;
}

interface Waiting {
  readonly weight: number;
  start(): void;
  refuse(): void;
}

interface Owner {
  running: number;
  readonly waiting: Set<Waiting>;
}

export function createFairSlots(options: FairSlotsOptions): FairSlots {
  const { limit, perOwner, leavesRoom = false, mostWaiting, mostWaitingOverall = Infinity, crowded } = options;
  const mostOverall = typeof mostWaitingOverall === 'number' ? () => mostWaitingOverall : mostWaitingOverall;
  /** Owners with a job; a `Map` keeps them in the order of their turns. */
  const owners = new Map<string, Owner>();
  let running = 0;
  let waiting = 0;

  const mayRun = (owner: Owner): boolean =>
    running < limit && owner.running < perOwner && (!leavesRoom || owner.running < limit - running);

  function ownerOf(name: string): Owner {
    const known = owners.get(name);
    if (known) return known;
    const owner: Owner = { running: 0, waiting: new Set() };
    owners.set(name, owner);
    return owner;
  }

  function begin(owner: Owner): void {
    running += 1;
    owner.running += 1;
  }

  function end(name: string, owner: Owner): void {
    running -= 1;
    owner.running -= 1;
    if (owner.running === 0 && owner.waiting.size === 0) owners.delete(name);
    // Where room is left for others, one that ends may make room for two.
    while (startNext()) continue;
  }

  /** The first owner who may: who is served goes to the end of the order. False when nobody may. */
  function startNext(): boolean {
    if (waiting === 0 || running >= limit) return false;
    for (const [name, owner] of owners) {
      const [next] = owner.waiting;
      if (!next || !mayRun(owner)) continue;
      owners.delete(name);
      owners.set(name, owner);
      next.start();
      return true;
    }
    return false;
  }

  /** The owner with most jobs waiting, from whom it would be fair to take one away for `owner`. */
  function givesWayTo(owner: Pick<Owner, 'waiting'>): Owner | undefined {
    let fullest: Owner | undefined;
    for (const one of owners.values()) if (!fullest || one.waiting.size > fullest.waiting.size) fullest = one;
    return fullest && fullest.waiting.size >= owner.waiting.size + 2 ? fullest : undefined;
  }

  /** False when there is no room, and nobody has so many waiting that it would be fair to take one away. */
  function makeRoom(owner: Owner, weight: number, most: number): boolean {
    while (waiting + weight > most) {
      const fullest = givesWayTo(owner);
      if (!fullest) return false;
      [...fullest.waiting].at(-1)?.refuse();
    }
    return true;
  }

  function turn(name: string, owner: Owner, weight: number, signal: AbortSignal | undefined): Promise<void> {
    if (owner.waiting.size >= mostWaiting) throw crowded('owner');
    if (!makeRoom(owner, weight, mostOverall(name))) throw crowded('all');
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        owner.waiting.delete(entry);
        waiting -= weight;
        signal?.removeEventListener('abort', abort);
      };
      const entry = {
        weight,
        start(): void {
          leave();
          begin(owner);
          resolve();
        },
        refuse(): void {
          leave();
          reject(crowded('all'));
        },
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      owner.waiting.add(entry);
      waiting += weight;
      signal?.addEventListener('abort', abort);
    });
  }

  return {
    isFreeFor(name) {
      const owner = owners.get(name);
      return owner ? owner.waiting.size === 0 && mayRun(owner) : running < limit;
    },
    isCrowdedFor(name) {
      const owner = owners.get(name) ?? { running: 0, waiting: new Set() };
      if (owner.waiting.size === 0 && mayRun(owner)) return false;
      if (owner.waiting.size >= mostWaiting) return true;
      return waiting + 1 > mostOverall(name) && givesWayTo(owner) === undefined;
    },
    async run(name, job, signal, weight = 1) {
      signal?.throwIfAborted();
      const owner = ownerOf(name);
      try {
        // The order within one owner is kept.
        if (owner.waiting.size === 0 && mayRun(owner)) begin(owner);
        else await turn(name, owner, weight, signal);
      } catch (error) {
        if (owner.running === 0 && owner.waiting.size === 0) owners.delete(name);
        throw error;
      }
      try {
        return await job();
      } finally {
        end(name, owner);
      }
    },
  };
}
