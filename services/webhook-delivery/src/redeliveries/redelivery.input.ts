import { z } from 'zod';

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The body of `POST /v1/webhook_deliveries/redeliver`: the ids of deliveries, or a webhook and a time. */
export const redeliverySchema = z.union(
  [
    z.strictObject({ ids: z.array(z.string().max(512)).min(1).max(100) }),
    z.strictObject({
      webhook_id: z.union([z.int().min(1), z.string().max(512)]),
      from: time,
      until: time,
      /** Only says how many there are. */
      preview: z.boolean().default(false),
    }),
  ],
  'Either ids (up to 100), or webhook_id, from and until',
);
