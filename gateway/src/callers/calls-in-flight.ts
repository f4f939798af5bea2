import type { ServerResponse } from 'node:http';
import { createFairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import type { FairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import { createTally } from '@itsm/shared/base/concurrency/tally';
import { tooManyCalls } from '@itsm/shared/base/errors/app-error';

/** Calls at once in one process of the gateway. */
export const mostInFlight = {
  /** As many as the shorter request window lets through together. */
  caller: 20,
  account: 60,
  /** Of one IPv4 address, or one /64 of IPv6, to paths that need no token. */
  address: 64,
  /** Imports of one caller and one account, which may take minutes. */
  uploadsOfCaller: 4,
  uploadsOfAccount: 8,
  /** Large calls at once; one for each account, the others of the account wait. */
  large: 2,
  waitingLarge: 10,
} as const;

/** A call of this many nodes or more is large. Nodes are counted as for the limit of nodes. */
export const largeCallNodes = 20_000;

/** Large calls take turns, since one process reads, assembles and writes their answers. */
export const createTurnsOfLargeCalls = (): FairSlots =>
  createFairSlots({
    limit: mostInFlight.large,
    perOwner: 1,
    mostWaiting: mostInFlight.waitingLarge,
    crowded: () =>
      tooManyCalls(`Too many large calls at once: ${mostInFlight.waitingLarge} of this account wait already`),
  });

/** Counts what is under way for each key (a caller, an account, an address). */
export interface InFlight {
  /** Begins what is answered with `res`, and ends it with the answer or the connection; 429 when too much is under way. */
  begin(key: string, res: ServerResponse): void;
}

/** `whose` completes the sentence of the refusal. */
export function createInFlight(limit: number, whose: string): InFlight {
  const calls = createTally(limit);
  return {
    begin(key, res) {
      if (calls.left(key) <= 0) throw tooManyCalls(`Too many calls at once: ${limit} of ${whose} are under way`);
      calls.add(key, 1);
      res.once('close', () => calls.add(key, -1));
    },
  };
}
