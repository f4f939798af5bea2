import { z } from 'zod';
import type { Contract } from './contract';
import { recordPayload } from './event-body';
import { recordEventNames } from './events';

export const recordChangedSchema = z.object({
  /** Unique per occurrence; delivery ids are derived from it. */
  eventId: z.string(),
  event: z.enum(recordEventNames),
  at: z.iso.datetime(),
  accountId: z.string(),
  /** Accounts whose "All" view contains the record: their webhooks fire. */
  visibleTo: z.array(z.string()),
  object: z.object({ id: z.int(), nodeID: z.string() }),
  /** The person who caused it; null for a change by the platform. */
  person: z.object({ id: z.int(), nodeID: z.string(), name: z.string() }).nullable(),
  payload: recordPayload,
  /** Paths: `canonical` relative to the account's address, the others to the base address. */
  links: z.object({ canonical: z.string(), resource: z.string(), related: z.string().optional() }),
});
export type RecordChanged = z.infer<typeof recordChangedSchema>;
/** A person as events present them. */
export type Person = NonNullable<RecordChanged['person']>;
/** The links to a record. */
export type Links = RecordChanged['links'];

/** A record was created or changed by an action that has an event; published by `graph` (and by `auth` for people). */
export const recordChanged: Contract<RecordChanged> = {
  name: 'records.record.changed.v1',
  schema: recordChangedSchema,
};
