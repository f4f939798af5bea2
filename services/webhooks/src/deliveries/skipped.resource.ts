import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { SkippedSummary } from './skipped.repository';

/** What was or would be delivered, with the oldest of them as examples. */
export const presentSummary = ({ count, first, last, examples }: SkippedSummary, preview: boolean) => ({
  preview,
  count,
  first_skipped_at: presentTime(first),
  last_skipped_at: presentTime(last),
  examples: examples.map(({ deliveryId, eventId, objectId, reason, skippedAt }) => ({
    delivery_id: deliveryId,
    event_id: eventId,
    object_id: objectId,
    reason,
    skipped_at: presentTime(skippedAt),
  })),
});
