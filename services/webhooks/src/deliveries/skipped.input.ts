import { z } from 'zod';

const moment = (label: string) =>
  z.iso
    .datetime({ offset: true, error: `${label} must be a time such as 2026-03-18T19:04:06Z` })
    .transform((text) => new Date(text));

/** What a caller says about which skipped deliveries are meant; without ends all are. */
export const skippedInput = z.strictObject({
  preview: z.boolean('Preview must be true or false').default(false),
  from: moment('From').optional(),
  until: moment('Until').optional(),
});
export type SkippedInput = z.output<typeof skippedInput>;
