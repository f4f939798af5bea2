/** A concurrency limiter with fair queuing: few slots for the jobs of many owners (accounts, addresses). */
export interface FairSlots {
  /**
   * Runs `job` when a slot is free. Waiting jobs start round-robin over owners, so an owner with many jobs delays
   * others by one job at most. Rejects with `crowded` when the queue is full, or when the job is evicted for an owner
   * with a shorter queue; and with the reason of `signal` when it aborts first. `weight` is the job's share of the
   * queue limit.
   */
  run<T>(owner: string, job: () => Promise<T>, signal?: AbortSignal, weight?: number): Promise<T>;
  /** Whether a job of `owner` would start at once. */
  isFreeFor(owner: string): boolean;
  /** Whether a job of `owner` with weight 1 would be refused now. */
  isCrowdedFor(owner: string): boolean;
}

export interface FairSlotsOptions {
  /** Concurrent jobs. */
  readonly limit: number;
  /** Concurrent jobs of one owner. */
  readonly perOwner: number;
  /**
   * Whether an owner may use at most as many slots as stay free, so that a few busy owners leave room for the next one.
   */
  readonly leavesRoom?: boolean;
  /** Limit of waiting jobs of one owner. */
  readonly mostWaiting: number;
  /**
   * Limit of the total weight of waiting jobs, possibly by the owner of the new job; unlimited by default. At the
   * limit, the newest job of the owner with the longest queue is evicted, if the new job's owner still has no longer
   * queue afterwards.
   */
  readonly mostWaitingOverall?: number | ((owner: string) => number);
  /** The error for a job that may not wait: the queue of its owner or of all is full. */
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
  /** Owners with jobs; the insertion order of the `Map` is the round-robin order. */
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
    // With `leavesRoom`, one end may free slots for two owners.
    while (startNext()) continue;
  }

  /** Starts a job of the first owner who may run one, and moves that owner to the end. False when nobody may. */
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

  /** The owner with the longest queue, if evicting one of its jobs for `owner` is fair. */
  function evictableFor(owner: Pick<Owner, 'waiting'>): Owner | undefined {
    let longest: Owner | undefined;
    for (const one of owners.values()) if (!longest || one.waiting.size > longest.waiting.size) longest = one;
    return longest && longest.waiting.size >= owner.waiting.size + 2 ? longest : undefined;
  }

  /** Evicts jobs until `weight` fits; false when no further eviction is fair. */
  function evictFor(owner: Owner, weight: number, most: number): boolean {
    while (waiting + weight > most) {
      const longest = evictableFor(owner);
      if (!longest) return false;
      [...longest.waiting].at(-1)?.refuse();
    }
    return true;
  }

  function turn(name: string, owner: Owner, weight: number, signal: AbortSignal | undefined): Promise<void> {
    if (owner.waiting.size >= mostWaiting) throw crowded('owner');
    if (!evictFor(owner, weight, mostOverall(name))) throw crowded('all');
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
      return waiting + 1 > mostOverall(name) && evictableFor(owner) === undefined;
    },
    async run(name, job, signal, weight = 1) {
      signal?.throwIfAborted();
      const owner = ownerOf(name);
      try {
        // A job does not overtake earlier jobs of its owner.
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
