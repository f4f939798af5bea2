/** Jobs of many owners (accounts, addresses) on few slots. */
export interface FairSlots {
  /**
   * Runs `job` when a slot is free. Waiting jobs are taken in turn from one owner after the other, so that an owner with
   * many jobs makes others wait for one of them at most. Rejects with `crowded` when too many wait already, and with the
   * reason of `signal` when that aborts first.
   */
  run<T>(owner: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface FairSlotsOptions {
  /** Jobs at once. */
  readonly limit: number;
  /** Jobs of one owner at once. */
  readonly perOwner: number;
  /** Waiting jobs of one owner. */
  readonly mostWaiting: number;
  /** Waiting jobs of all owners; without limit by default. */
  readonly mostWaitingOverall?: number;
  /** The refusal of a job that may not even wait. */
  readonly crowded: () => Error;
}

interface Owner {
  running: number;
  readonly waiting: Set<() => void>;
}

export function createFairSlots(options: FairSlotsOptions): FairSlots {
  const { limit, perOwner, mostWaiting, mostWaitingOverall = Infinity, crowded } = options;
  /** Owners with a job; a `Map` keeps them in the order of their turns. */
  const owners = new Map<string, Owner>();
  let running = 0;
  let waiting = 0;

  const mayRun = (owner: Owner): boolean => running < limit && owner.running < perOwner;

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
    startNext();
  }

  /** The first owner who may: who is served goes to the end of the order. */
  function startNext(): void {
    if (waiting === 0 || running >= limit) return;
    for (const [name, owner] of owners) {
      const [next] = owner.waiting;
      if (!next || !mayRun(owner)) continue;
      owners.delete(name);
      owners.set(name, owner);
      next();
      return;
    }
  }

  function turn(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    if (owner.waiting.size >= mostWaiting || waiting >= mostWaitingOverall) throw crowded();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        owner.waiting.delete(start);
        waiting -= 1;
        signal?.removeEventListener('abort', abort);
      };
      const start = (): void => {
        leave();
        begin(owner);
        resolve();
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      owner.waiting.add(start);
      waiting += 1;
      signal?.addEventListener('abort', abort);
    });
  }

  return {
    async run(name, job, signal) {
      signal?.throwIfAborted();
      const owner = ownerOf(name);
      try {
        // The order within one owner is kept.
        if (owner.waiting.size === 0 && mayRun(owner)) begin(owner);
        else await turn(owner, signal);
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
