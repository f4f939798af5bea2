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
            Try {attempts.length + 1} of {mostAttempts} follows <NextAttempt at={nextAttemptAt} />, or now when you say
            so.
          </p>
        </Banner>
      );
    case 'failed':
      return (
        <Banner tone="bad" title={`Given up after ${attempts.length === 1 ? 'one try' : `${attempts.length} tries`}`}>
          {last && <p>{headlineOf(last)}</p>}
          {last && <Advice attempt={last} />}
        </Banner>
      );
    case 'stopped':
      return (
        <Banner tone="quiet" title="Stopped before it arrived">
          <p>
            {stopTexts[stoppedReason ?? ''] ?? stoppedReason}
            {last && ` Its last try: ${headlineOf(last)}`}
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
      title="Kept back, and not sent"
      {...(webhook.deletedAt === null && {
        actions: (
          <Link
            className={buttonClass()}
            to={isActive ? '/accounts/$account/webhooks/$webhook/recover' : '/accounts/$account/webhooks/$webhook'}
            params={params}
          >
            {isActive ? 'Send what was skipped' : 'Look at the webhook'}
          </Link>
        ),
      })}
    >
      <p>
        {stopTexts[stoppedReason ?? ''] ?? stoppedReason} It is kept for 30 days, and can be sent once the webhook is
        active.
      </p>
    </Banner>
  );
}

const headlineOf = ({ errorClass, fault, status }: Attempt): string => {
  if (fault === 'ours') return `Our fault, not the receiver’s. ${errorTexts[errorClass ?? '']?.sentence ?? ''}`.trim();
  if (errorClass === 'http_status') return `The receiver answered ${status ?? 'with a status that is no success'}.`;
  return errorTexts[errorClass ?? '']?.sentence ?? 'The last try failed.';
};

function Advice({ attempt: { errorClass, status } }: { readonly attempt: Attempt }): ReactNode {
  if (status === 410)
    return (
      <p>
        <strong>What helps:</strong> with 410 a receiver says that it wants no more calls, so the webhook was disabled.
        Enable it when that was not meant.
      </p>
    );
  const advice = errorTexts[errorClass ?? '']?.advice;
  return advice === undefined ? null : (
    <p>
      <strong>What helps:</strong> {advice}
    </p>
  );
}
