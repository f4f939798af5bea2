import { AppError, tooManyCalls } from '../errors/app-error';
import { createFairSlots } from './fair-slots';
import type { FairSlotsOptions } from './fair-slots';

/** How long a call may wait for its turn. */
export interface Patience {
  /** `left` returns the milliseconds left. */
  readonly deadline: { left(): number };
  /** A signal that aborts when the client disconnects; requested lazily, only if the call has to wait. */
  readonly departure?: () => AbortSignal | undefined;
}

/** Fair queuing for the connections to one service, by owner (account, network). */
export interface FairTurns {
  /**
   * Runs `work` on a connection. Rejects with 429 when the owner's queue is full, with 503 when its turn does not come
   * before the deadline.
   */
  run<T>(owner: string, work: () => Promise<T>, patience: Patience): Promise<T>;
}

export type FairTurnsOptions = Pick<FairSlotsOptions, 'limit'> &
  Partial<Pick<FairSlotsOptions, 'perOwner' | 'mostWaiting' | 'mostWaitingOverall' | 'crowded'>>;

/** The default limit of waiting calls of one owner. */
export const mostWaiting = 1_000;

const tooManyWait = (): AppError => tooManyCalls('Too many calls of this account or address wait for a service');
const outOfTime = (): AppError => new AppError('service_unavailable', 'Service Unavailable');

/** An owner may use at most as many connections as stay free. Otherwise two slow owners could occupy all of them. */
export function createFairTurns(options: FairTurnsOptions): FairTurns {
  const { limit } = options;
  const slots = createFairSlots({ mostWaiting, crowded: tooManyWait, perOwner: limit, leavesRoom: true, ...options });

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
    // The fast path needs no timer; hardly any call has to wait.
    run: (owner, work, patience) => (slots.isFreeFor(owner) ? slots.run(owner, work) : wait(owner, work, patience)),
  };
}
