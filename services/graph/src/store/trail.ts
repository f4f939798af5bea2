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

const noteSchema = z.object({ ...about, text: z.string() });
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

/** Waits in the record's outbox, so that a change and its trail are one write; it never leaves this service. */
export const trailLeft: Contract<z.infer<typeof trailSchema>> = { name: 'graph.trail.left.v1', schema: trailSchema };
