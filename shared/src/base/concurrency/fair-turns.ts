import { AppError, tooManyCalls } from '../errors/app-error';
import { createFairSlots } from './fair-slots';
import type { FairSlotsOptions } from './fair-slots';

/** How long somebody waits for a turn. */
export interface Patience {
  /** Says how many milliseconds are left. */
  readonly deadline: { left(): number };
  /** What aborts when they leave; asked for only when they have to wait. */
  readonly departure?: () => AbortSignal | undefined;
}

/** The connections to one service, which owners (accounts, networks) take in turn. */
export interface FairTurns {
  /** Does `work` on a connection; rejects with 429 when too much of the owner waits already, with 503 when its turn does not come in time. */
  run<T>(owner: string, work: () => Promise<T>, patience: Patience): Promise<T>;
}

export type FairTurnsOptions = Pick<FairSlotsOptions, 'limit'> &
  Partial<Pick<FairSlotsOptions, 'mostWaiting' | 'mostWaitingOverall' | 'crowded'>>;

/** Of one owner, unless another number is given. */
export const mostWaiting = 1_000;

const tooManyWait = (): AppError => tooManyCalls('Too many calls of this account or address wait for a service');
const outOfTime = (): AppError => new AppError('service_unavailable', 'Service Unavailable');

/** An owner has no more at once than are free: with one queue for all, two who are slow would make everybody else wait for them. */
export function createFairTurns(options: FairTurnsOptions): FairTurns {
  const { limit } = options;
  const slots = createFairSlots({ mostWaiting, crowded: tooManyWait, ...options, perOwner: limit, leavesRoom: true });

  async function wait<T>(owner: string, work: () => Promise<T>, { deadline, departure }: Patience): Promise<T> {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(outOfTime()), deadline.left());
    const signal = departure?.();
    const leave = (): void => waiting.abort(signal?.reason);
    const stopWaiting = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave);
    const begin = (): Promise<T> => {
      stopWaiting();
      return work();
    };
    try {
      return await slots.run(owner, begin, waiting.signal);
    } finally {
      stopWaiting();
    }
  }

  return {
    // Hardly anybody waits, and who does not needs no timer.
    run: (owner, work, patience) => (slots.isFreeFor(owner) ? slots.run(owner, work) : wait(owner, work, patience)),
  };
}
