import type { AuditLine } from '../webhooks/audit-line';
import type { DeliveryOutcome } from './outcome.repository';
import type { SeenEvent, Subscriber } from '../deliveries/event-log.repository';
import { stateOf } from '../webhooks/webhook';
import type { Webhook, WebhookState } from '../webhooks/webhook';

/** In characters. No event has a longer id, so longer ones are not looked up. */
export const longestEventId = 200;

export const verdicts = [
  'delivered',
  'waiting',
  'failed',
  'given_up',
  'skipped',
  'not_registered',
  'other_event',
  'unknown_event',
] as const;
type Verdict = (typeof verdicts)[number];

/** The stored facts about one event and one webhook. */
export interface Facts {
  readonly webhook: Webhook;
  readonly eventId: string;
  /** Undefined for an unknown event, or one that the account does not see. */
  readonly event: SeenEvent | undefined;
  readonly deliveryId: string;
  readonly outcome: DeliveryOutcome | undefined;
  readonly redeliveredAt: Date | undefined;
  readonly audit: readonly AuditLine[];
}

/** Why a webhook was called for an event, or was not. */
export interface Explanation {
  readonly eventId: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly visible: boolean;
  readonly event: string | null;
  readonly eventMatches: boolean | null;
  readonly occurredAt: Date | null;
  /** The state of the webhook when the event was matched. */
  readonly stateThen: WebhookState | null;
  readonly state: WebhookState;
  readonly verified: boolean;
  readonly deliveryId: string | null;
  readonly attempts: number;
  readonly lastAttemptAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly nextAttemptAt: Date | null;
}

type Finding = Pick<Explanation, 'verdict' | 'reason'>;

export function explain(facts: Facts): Explanation {
  const { webhook, eventId, event, deliveryId, outcome } = facts;
  const subscriber = event?.subscribers.find(({ webhookId }) => webhookId === webhook.id);
  const finding = findingOf(facts, subscriber);
  return {
    eventId,
    ...finding,
    visible: event !== undefined,
    event: event?.event ?? null,
    eventMatches: event ? event.event === webhook.event : null,
    occurredAt: event?.occurredAt ?? null,
    stateThen: subscriber?.state ?? null,
    state: stateOf(webhook),
    verified: webhook.verified,
    deliveryId: subscriber ? deliveryId : null,
    attempts: outcome?.attempts ?? 0,
    lastAttemptAt: outcome?.at ?? null,
    lastStatus: outcome?.status ?? null,
    lastError: outcome?.error ?? null,
    nextAttemptAt: finding.verdict === 'waiting' ? (outcome?.nextAttemptAt ?? null) : null,
  };
}

function findingOf(facts: Facts, subscriber: Subscriber | undefined): Finding {
  const { webhook, event, redeliveredAt } = facts;
  if (!event)
    return { verdict: 'unknown_event', reason: 'No event of the last 30 days that the account sees has this id.' };
  if (!subscriber) return notSubscribed(webhook, event);
  const { state } = subscriber;
  if (state === 'active' || redeliveredAt) return madeOrNot(facts, event, redeliveredAt ?? event.matchedAt);
  const why = state === 'unverified' ? 'its address was not verified' : 'it was disabled';
  return {
    verdict: 'skipped',
    reason: `The webhook was not called because ${why} when the event happened. The delivery is kept for 30 days and can be made after all.`,
  };
}

function notSubscribed(webhook: Webhook, event: SeenEvent): Finding {
  if (webhook.createdAt > event.matchedAt)
    return { verdict: 'not_registered', reason: 'The webhook was registered after the event happened.' };
  const then =
    event.event === webhook.event ? 'was for another event when this one happened' : `is for ${webhook.event}`;
  return { verdict: 'other_event', reason: `The event is ${event.event}; the webhook ${then}.` };
}

function madeOrNot({ outcome, audit }: Facts, { matchedAt }: SeenEvent, requestedAt: Date): Finding {
  if (outcome?.outcome === 'delivered')
    return { verdict: 'delivered', reason: `Delivered at attempt ${outcome.attempts}.` };
  const stop = audit.find((line) => line.createdAt > requestedAt && stops(line));
  const failure = outcome ? failureOf(outcome) : 'No attempt has been made yet.';
  if (outcome?.final && (!stop || outcome.at < stop.createdAt))
    return { verdict: 'failed', reason: `${failure} The delivery was given up after attempt ${outcome.attempts}.` };
  if (stop) {
    const why = stop.changes.some(({ field }) => field === 'uri') ? 'its address was changed' : 'it was disabled';
    return {
      verdict: 'given_up',
      reason: `${failure} The delivery was given up because the webhook was changed: ${why}.`,
    };
  }
  const next = outcome?.nextAttemptAt ? 'The next attempt is planned.' : 'The first attempt follows.';
  const waited = matchedAt < requestedAt ? ' It had been skipped and was asked for again.' : '';
  return { verdict: 'waiting', reason: `${failure} ${next}${waited}` };
}

/** Whether the change stops pending deliveries: a new address, or disabling. */
const stops = ({ changes }: AuditLine): boolean =>
  changes.some(({ field, to }) => field === 'uri' || (field === 'disabled' && to === true));

function failureOf({ attempts, error, fault }: DeliveryOutcome): string {
  const whose = fault === 'ours' ? ' (a fault of the platform, not of the receiver)' : '';
  return `Attempt ${attempts} failed${whose}: ${error ?? 'no answer'}.`;
}
