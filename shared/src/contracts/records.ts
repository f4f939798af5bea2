import { z } from 'zod';
import type { Contract } from './contract';
import { recordEventNames } from './events';

const reference = z.object({
  id: z.int(),
  nodeID: z.string(),
  name: z.string(),
  sourceID: z.string().optional(),
  disabled: z.literal(true).optional(),
  account: z.object({ id: z.string(), name: z.string() }).optional(),
});

/** The `payload` of a webhook body; members that do not apply are absent (spec: Webhook delivery body). */
export const recordPayload = z.object({
  audit_line_id: z.int().optional(),
  audit_line_nodeID: z.string().optional(),
  note_id: z.int().optional(),
  note_nodeID: z.string().optional(),
  source: z.string().optional(),
  sourceID: z.string().optional(),
  status: z.string().optional(),
  previous_status: z.string().optional(),
  team: reference.optional(),
  member: reference.optional(),
});
export type RecordPayload = z.infer<typeof recordPayload>;

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
