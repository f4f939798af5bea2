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

/** The `payload` of a webhook body; a member that does not apply is absent (spec: Webhook delivery body). */
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
  /** One per occurrence; the source of the delivery ids. */
  eventId: z.string(),
  event: z.enum(recordEventNames),
  at: z.iso.datetime(),
  accountId: z.string(),
  /** Accounts whose "All" view shows the record: their webhooks fire. */
  visibleTo: z.array(z.string()),
  object: z.object({ id: z.int(), nodeID: z.string() }),
  /** Who caused it; null for a system event. */
  person: z.object({ id: z.int(), nodeID: z.string(), name: z.string() }).nullable(),
  payload: recordPayload,
  /** Paths: `canonical` below the account address, the others below the base address. */
  links: z.object({ canonical: z.string(), resource: z.string(), related: z.string().optional() }),
});
export type RecordChanged = z.infer<typeof recordChangedSchema>;
/** Who did something, as events name them. */
export type Person = NonNullable<RecordChanged['person']>;
/** Where a record is found. */
export type Links = RecordChanged['links'];

/** A record was created or changed in a way that has an event; published by `graph` (and by `auth` for people). */
export const recordChanged: Contract<RecordChanged> = {
  name: 'records.record.changed.v1',
  schema: recordChangedSchema,
};
