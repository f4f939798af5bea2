import { createFairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import type { FairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import { overloaded } from '@itsm/shared/api/http/in-flight';
import { tooManyCalls } from '@itsm/shared/base/errors/app-error';
import { createFairTurns } from '@itsm/shared/base/concurrency/fair-turns';
import type { FairTurns } from '@itsm/shared/base/concurrency/fair-turns';

/** Calls at once in one process of the gateway. */
export const mostInFlight = {
  /** As many as the shorter request window lets through together. */
  caller: 20,
  account: 60,
  /** Of one IPv4 address, or one /64 of IPv6, to paths that need no token; and of all addresses. */
  address: 64,
  addresses: 4_096,
  /** Tokens that are not known yet: so many are looked up at once, half of them of one address; so many wait, of one address and of all. */
  lookUps: 16,
  waitingOfAddress: 56,
  waitingLookUps: 1_024,
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

/**
 * Turns of requests whose token is not known yet: anybody can make one up, and auth has to look it up. Those who are known
 * do not wait here.
 */
export const createTurnsOfStrangers = (): FairTurns =>
  createFairTurns({
    limit: mostInFlight.lookUps,
    mostWaiting: mostInFlight.waitingOfAddress,
    mostWaitingOverall: mostInFlight.waitingLookUps,
    crowded: (by) => (by === 'owner' ? tooManyCalls('Too many tokens of this address are looked up') : overloaded()),
  });
