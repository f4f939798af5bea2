import type { AttemptFinished } from '@itsm/shared/contracts/deliveries';
import { stateOf } from '../webhooks/webhook';
import type { Webhook } from '../webhooks/webhook';
import { breaksRule } from '../webhooks/disable-rule';

const gone = 410;

/** Test deliveries and failures on our side say nothing about the receiver. */
export const countsAsFailure = ({ outcome, fault, test }: AttemptFinished): boolean =>
  outcome === 'failed' && fault === 'receiver' && !test;

export const errorOf = ({ error, status }: AttemptFinished): string =>
  error ?? (status === null ? 'The receiver did not answer' : `The receiver answered with status ${status}`);

/** Why this failed attempt disables the webhook; undefined when it does not (spec: Webhook verification and activity). */
export function disablingReason(webhook: Webhook, { status, at }: AttemptFinished): string | undefined {
  const { count, startedAt, countsFrom } = webhook.streak;
  const endedAt = new Date(at);
  if (webhook.disabled || endedAt < countsFrom) return undefined;
  if (status === gone) return 'The receiver answered 410 Gone';
  if (stateOf(webhook) !== 'active' || startedAt === null || !breaksRule(webhook.streak, endedAt)) return undefined;
  return `${count} consecutive failures since ${startedAt.toISOString()}`;
}
