import type { Contract } from '@itsm/shared/contracts/contract';
import { z } from 'zod';

const actor = z.object({ id: z.int(), name: z.string() });
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.number()), z.null()]);
const about = {
  id: z.int(),
  accountId: z.string(),
  /** The record's type and number. */
  recordType: z.string(),
  recordId: z.int(),
  at: z.coerce.date(),
  /** Null for the platform itself. */
  person: actor.nullable(),
};

const attachment = z.object({
  key: z.string(),
  name: z.string(),
  size: z.int(),
  contentType: z.string(),
  inline: z.boolean(),
  secret: z.string(),
});

const noteSchema = z.object({
  ...about,
  text: z.string(),
  /** For those who work with the account's records; an earlier release knew public notes only. */
  internal: z.boolean().default(false),
  attachments: z.array(attachment).readonly().default([]),
  /** Whom the text names, of those whom the account knows; an earlier release knew none. */
  mentions: z.array(actor).readonly().default([]),
});
const auditLineSchema = z.object({
  ...about,
  action: z.enum(['create', 'update']),
  /** The record's version after the change. */
  version: z.int(),
  changes: z.array(z.object({ field: z.string(), from: value, to: value })),
});

export type Actor = z.infer<typeof actor>;
/** A text that was added to a record. */
export type Note = z.infer<typeof noteSchema>;
/** Who changed which fields of a record. */
export type AuditLine = z.infer<typeof auditLineSchema>;

/** The note and audit line of one write of a record. */
export interface Trail {
  readonly note: Note | undefined;
  readonly auditLine: AuditLine | undefined;
}

const trailSchema = z.object({ note: noteSchema.optional(), auditLine: auditLineSchema.optional() });

type TrailContract = Contract<z.infer<typeof trailSchema>>;

/** Waits in the record's outbox, so that a change and its trail are one write; it never leaves this service. */
const trailLeft: TrailContract = { name: 'graph.trail.left.v1', schema: trailSchema };

/** A release that knows public notes only does not know this name, so it cannot store the note as a public one. */
const internalTrailLeft: TrailContract = { name: 'graph.trail.left.v2', schema: trailSchema };

/** Nor can a release that knows neither attachments nor mentions store the note without them. */
const fullTrailLeft: TrailContract = { name: 'graph.trail.left.v3', schema: trailSchema };

export const trailContracts: readonly TrailContract[] = [trailLeft, internalTrailLeft, fullTrailLeft];

export function contractOf({ note }: Trail): TrailContract {
  if (note && note.attachments.length + note.mentions.length > 0) return fullTrailLeft;
  return note?.internal ? internalTrailLeft : trailLeft;
}
