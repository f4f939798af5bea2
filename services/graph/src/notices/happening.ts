import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Contract } from '@itsm/shared/contracts/contract';
import { z } from 'zod';

const happeningSchema = z.object({
  accountId: z.string(),
  recordType: z.string(),
  recordId: z.int(),
  at: z.coerce.date(),
  /** Who did it; null for the platform itself. */
  person: z.object({ id: z.int(), name: z.string() }).nullable(),
  isNew: z.boolean(),
  /** The fields that changed, of those whose change concerns somebody. */
  changed: z.array(z.string()),
  /** The status before and after, of a record that has one. */
  statuses: z.object({ before: z.string().nullable(), after: z.string() }).optional(),
  note: z
    .object({
      id: z.int(),
      internal: z.boolean(),
      /** Whom it names. */
      mentions: z.array(z.int()).default([]),
    })
    .optional(),
  /** By field, who works on it: its member, its manager. */
  /** The team in which it has just become free: open, and without a member. */
  freeIn: z.int().optional(),
  workers: z.record(z.string(), z.int()),
  /** For whom it is: those who see it though they do not work with the account's records. */
  owners: z.array(z.int()),
});

/** What one write did with a record, as far as people are notified of it. */
export type Happening = z.infer<typeof happeningSchema>;

/**
 * Waits in the record's outbox behind the events, so that no webhook waits for those who are notified. It never leaves this
 * service.
 */
export const happened: Contract<Happening> = { name: 'graph.record.happened.v1', schema: happeningSchema };

/** The fields that name those who work on a record. */
export const workerFields: readonly string[] = ['member', 'manager'];
/** Fields whose change concerns somebody. */
const fieldsThatMatter: readonly string[] = ['status', 'team', ...workerFields];

/** The entry of a happening; undefined when it concerns nobody. */
export function happeningEntry(happening: Happening): OutboxEntry | undefined {
  const changed = happening.changed.filter((field) => fieldsThatMatter.includes(field));
  const isNotified = happening.isNew || happening.note !== undefined || changed.length > 0;
  return isNotified ? outboxEntry(happened, { ...happening, changed }) : undefined;
}
