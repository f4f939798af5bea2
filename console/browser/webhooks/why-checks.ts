import { formatMoment } from '../design/formats';
import type { Explanation } from './why-document';

/** One step on the way from an event to its receiver. */
export interface Check {
  readonly name: string;
  /** open: still in progress; unreached: an earlier step stopped. */
  readonly result: 'passed' | 'stopped' | 'open' | 'unreached';
  /** A fact about the step; null when there is none. */
  readonly fact: string | null;
}

/** The first sentence for each verdict; the platform's own reason follows it. */
export const verdictTexts: Readonly<Record<Explanation['verdict'], string>> = {
  delivered: 'It was delivered.',
  waiting: 'Not delivered yet. Another attempt follows.',
  failed: 'Not delivered: every attempt failed.',
  given_up: 'Not delivered: it was given up.',
  skipped: 'Not delivered: it was held back.',
  not_registered: 'Not delivered: the webhook was registered later.',
  other_event: 'Not delivered: the webhook is for another event.',
  unknown_event: 'This event is unknown.',
};

const moment = (at: string): string => formatMoment(at, 'moment');

/** Happened, visible, matches, active, delivered: each with its fact, up to the step that stopped. */
export function checksOf(
  explanation: Explanation,
  webhook: { readonly event: string; readonly createdAt: string },
): readonly Check[] {
  const { event, occurredAt, visible, verdict, stateThen } = explanation;
  const isMatching = verdict !== 'other_event';
  const wasActive = verdict !== 'not_registered' && verdict !== 'skipped';
  const checks: readonly { readonly name: string; readonly isPassed: boolean; readonly fact: string | null }[] = [
    {
      name: 'Happened',
      isPassed: occurredAt !== null,
      fact: occurredAt === null ? 'No event of the last 30 days has this ID.' : `${event ?? ''}, ${moment(occurredAt)}`,
    },
    {
      name: 'Visible to this account',
      isPassed: visible,
      fact: visible ? null : 'This account cannot see the event.',
    },
    {
      name: 'Event matches',
      isPassed: isMatching,
      fact: isMatching ? webhook.event : `The webhook is for ${webhook.event}.`,
    },
    {
      name: 'Webhook was active',
      isPassed: wasActive,
      fact: wasActive
        ? null
        : verdict === 'not_registered'
          ? `It was registered on ${moment(webhook.createdAt)}.`
          : stateThen === 'unverified'
            ? 'Its address was not verified.'
            : 'It was disabled.',
    },
    { name: 'Delivered', isPassed: verdict === 'delivered', fact: deliveryFact(explanation) },
  ];
  const stoppedAt = checks.findIndex(({ isPassed }) => !isPassed);
  return checks.map(({ name, fact }, index) => {
    if (stoppedAt === -1 || index < stoppedAt) return { name, fact, result: 'passed' };
    if (index > stoppedAt) return { name, fact: null, result: 'unreached' };
    return { name, fact, result: verdict === 'waiting' ? 'open' : 'stopped' };
  });
}

function deliveryFact({ attempts, lastStatus, lastError, nextAttemptAt }: Explanation): string | null {
  if (attempts === 0) return 'No attempt yet.';
  const made = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  const answer = lastError ?? (lastStatus === null ? null : `The receiver answered ${lastStatus}`);
  const next = nextAttemptAt === null ? null : `The next one is on ${moment(nextAttemptAt)}`;
  return [made, answer, next].flatMap((part) => (part === null ? [] : [`${part}.`])).join(' ');
}
