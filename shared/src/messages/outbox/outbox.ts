import { randomUUID } from 'node:crypto';
import { currentTraceparent } from '../../observing/tracing/tracing';
import type { Contract } from '../../contracts/contract';

/** A message that waits inside the document whose change it announces (transactional outbox). */
export interface OutboxEntry {
  readonly id: string;
  readonly contract: string;
  /** JSON text, because the store would drop empty objects, turn `undefined` into null and refuse some keys. */
  readonly message: string;
  /** The trace context of the change (W3C), if there is one. */
  readonly traceparent?: string;
}

export const outboxEntry = <T>(contract: Contract<T>, message: T, id: string = randomUUID()): OutboxEntry => {
  const traceparent = currentTraceparent();
  const entry = { id, contract: contract.name, message: JSON.stringify(message) };
  return traceparent === undefined ? entry : { ...entry, traceparent };
};

/** The schema paths of a collection with an outbox. `outboxAt` is set while entries wait. */
export const outboxPaths = {
  outbox: {
    type: [{ _id: false, id: String, contract: String, message: String, traceparent: String }],
    default: undefined,
  },
  outboxAt: { type: Date, default: undefined },
  outboxLeaseUntil: { type: Date, default: undefined },
  outboxOwner: { type: String, default: undefined },
} as const;

/** Document members for an insert that publishes messages. */
export const withOutbox = (entries: readonly OutboxEntry[], now: Date) =>
  entries.length === 0 ? {} : { outbox: [...entries], outboxAt: now };

/** Update operators for a change that publishes messages; merge them with the change's own. */
export const pushToOutbox = (entries: readonly OutboxEntry[], now: Date) =>
  entries.length === 0
    ? { $push: {}, $min: {} }
    : { $push: { outbox: { $each: [...entries] } }, $min: { outboxAt: now } };

/** Sends the entries of outboxes: triggered by nudges after writes for speed, and by polling as the guarantee. */
export interface Relay {
  /** One document of `collection` has entries to send; without a name all collections are searched. */
  nudge(collection?: string): void;
  /** Creates the indexes for finding waiting outboxes. */
  ensureIndexes(): Promise<void>;
  start(): void;
  /** Waits until the current entry is sent. */
  stop(): Promise<void>;
}
