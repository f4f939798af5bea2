import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { buttonClass } from '../design/button';
import { Banner } from '../design/panel';
import { useAccount } from '../frame/account';
import { NextAttempt } from '../parts/delivery-row';
import type { Attempt, Delivery } from './document';
import { errorTexts, mostAttempts, stopTexts } from './texts';

/** The obstacle of a delivery, whose fault it is, and what helps; nothing for a successful one. */
export function DeliveryBanner({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { state, attempts, nextAttemptAt, stoppedReason } = delivery;
  const last = attempts.at(-1);
  switch (state) {
    case 'pending':
      if (!last || nextAttemptAt === null) return null;
      return (
        <Banner tone="warn" title={headlineOf(last)}>
          <Advice attempt={last} />
          <p>
            Attempt {attempts.length + 1} of {mostAttempts} is <NextAttempt at={nextAttemptAt} />; Retry now does it at
            once.
          </p>
        </Banner>
      );
    case 'failed':
      return (
        <Banner tone="bad" title={`Gave up after ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`}>
          {last && <p>{headlineOf(last)}</p>}
          {last && <Advice attempt={last} />}
        </Banner>
      );
    case 'stopped':
      return (
        <Banner tone="quiet" title="Stopped before delivery">
          <p>
            {stopTexts[stoppedReason ?? ''] ?? stoppedReason}
            {last && ` Last attempt: ${headlineOf(last)}`}
          </p>
        </Banner>
      );
    case 'skipped':
      return <SkippedBanner delivery={delivery} />;
    default:
      return null;
  }
}

function SkippedBanner({ delivery: { webhook, stoppedReason } }: { readonly delivery: Delivery }): ReactNode {
  const { account } = useAccount();
  const params = { account, webhook: numberOf(webhook.id) };
  const isActive = webhook.state === 'active';
  return (
    <Banner
      tone="quiet"
      title="Held back, not sent"
      actions={
        webhook.deletedAt === null && (
          <Link
            className={buttonClass()}
            to={isActive ? '/accounts/$account/webhooks/$webhook/recover' : '/accounts/$account/webhooks/$webhook'}
            params={params}
          >
            {isActive ? 'Send skipped events' : 'Show webhook'}
          </Link>
        )
      }
    >
      <p>
        {stopTexts[stoppedReason ?? ''] ?? stoppedReason} It is kept for 30 days and can be sent once the webhook is
        active.
      </p>
    </Banner>
  );
}

const headlineOf = ({ errorClass, fault, status }: Attempt): string => {
  if (fault === 'ours') return `Our fault, not the receiver’s. ${errorTexts[errorClass ?? '']?.sentence ?? ''}`.trim();
  if (errorClass === 'http_status') return `The receiver answered ${status ?? 'with an error status'}.`;
  return errorTexts[errorClass ?? '']?.sentence ?? 'The last attempt failed.';
};

function Advice({ attempt: { errorClass, status } }: { readonly attempt: Attempt }): ReactNode {
  if (status === 410)
    return (
      <p>
        <strong>How to fix:</strong> a receiver that answers 410 wants no more calls, so the webhook was disabled.
        Enable it if that was a mistake.
      </p>
    );
  const advice = errorTexts[errorClass ?? '']?.advice;
  return advice === undefined ? null : (
    <p>
      <strong>How to fix:</strong> {advice}
    </p>
  );
}
