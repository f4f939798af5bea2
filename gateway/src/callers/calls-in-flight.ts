import { createFairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import type { FairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import { overloaded } from '@itsm/shared/api/http/in-flight';
import { tooManyCalls } from '@itsm/shared/base/errors/app-error';
import { createFairTurns } from '@itsm/shared/base/concurrency/fair-turns';
import type { FairTurns } from '@itsm/shared/base/concurrency/fair-turns';

/** Concurrency limits of one gateway process. */
export const mostInFlight = {
  /** Equals the limit of the shorter request window. */
  caller: 20,
  account: 60,
  /** Requests to public paths: per IPv4 address or IPv6 /64, and of all addresses together. */
  address: 64,
  addresses: 4_096,
  /**
   * Introspections of unknown tokens: concurrent ones, of which one address gets half; waiting ones of one address, and
   * of all.
   */
  lookUps: 16,
  waitingOfAddress: 56,
  waitingLookUps: 1_024,
  /** Concurrent imports of one caller and of one account; an import may take minutes. */
  uploadsOfCaller: 4,
  uploadsOfAccount: 8,
  /** Concurrent large calls. An account runs one; its others wait. */
  large: 2,
  waitingLarge: 10,
  /** Calls of one account with new documents that wait while another one runs. */
  newDocuments: 30,
} as const;

/** A call of this many nodes or more is large. Nodes are counted as for the limit of nodes. */
export const largeCallNodes = 20_000;

/** Large calls queue, since one process reads, assembles and writes their answers. */
export const createLargeCallTurns = (): FairSlots =>
  createFairSlots({
    limit: mostInFlight.large,
    perOwner: 1,
    mostWaiting: mostInFlight.waitingLarge,
    crowded: () =>
      tooManyCalls(`Too many large calls at once: ${mostInFlight.waitingLarge} of this account wait already`),
  });

/**
 * Calls with new documents: an account runs one. Each takes a tenth of a second of the planning thread and of a
 * service, and several at once made the calls of other accounts three times as long.
 */
export const createNewDocumentTurns = (): FairTurns =>
  createFairTurns({
    limit: Infinity,
    perOwner: 1,
    mostWaiting: mostInFlight.newDocuments,
    crowded: () =>
      tooManyCalls(`Too many new documents at once: ${mostInFlight.newDocuments} of this account wait already`),
  });

/** New documents are checked and planned in one thread, one at a time. */
export const createPlanningTurns = (): FairTurns => createFairTurns({ limit: 1 });

/**
 * The queue for introspections of unknown tokens. Anybody can invent tokens, so lookups are limited; known callers do
 * not queue here.
 */
export const createIntrospectionTurns = (): FairTurns =>
  createFairTurns({
    limit: mostInFlight.lookUps,
    mostWaiting: mostInFlight.waitingOfAddress,
    mostWaitingOverall: mostInFlight.waitingLookUps,
    crowded: (by) => (by === 'owner' ? tooManyCalls('Too many tokens of this address are looked up') : overloaded()),
  });
