import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Explanation } from './explanation';

/** How an explanation looks in REST. */
export const presentExplanation = (explanation: Explanation) => ({
  event_id: explanation.eventId,
  verdict: explanation.verdict,
  reason: explanation.reason,
  visible: explanation.visible,
  event: explanation.event,
  event_matches: explanation.eventMatches,
  occurred_at: presentTime(explanation.occurredAt),
  state_then: explanation.stateThen,
  state: explanation.state,
  verified: explanation.verified,
  delivery_id: explanation.deliveryId,
  attempts: explanation.attempts,
  last_attempt_at: presentTime(explanation.lastAttemptAt),
  last_status: explanation.lastStatus,
  last_error: explanation.lastError,
  next_attempt_at: presentTime(explanation.nextAttemptAt),
});
