import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { Button, buttonClass } from '../design/button';
import { formatMoment, formatNumber } from '../design/formats';
import { Banner } from '../design/panel';
import { Time, useNow } from '../design/time';
import { NextAttempt, answerOf } from '../parts/delivery-row';
import { healthOf } from '../parts/webhook-health';
import type { WebhookDetail } from './documents';
import { OpeningHelp } from './opening-help';
import { RetryWaiting } from './retry-waiting';
import { texts } from './texts';
import type { WebhookActions } from './webhook-actions';

interface BannerProperties {
  readonly account: string;
  readonly webhook: WebhookDetail;
  readonly actions: WebhookActions;
  readonly onVerify: () => void;
  /** Called when something was sent to the receiver. */
  readonly onSent: () => void;
  /** Enables the webhook and goes to the skipped deliveries. */
  readonly onEnable: () => void;
}

/** The most important fact about the webhook, and what to do about it; nothing for a healthy one. */
export function HealthBanner(properties: BannerProperties): ReactNode {
  switch (healthOf(properties.webhook)) {
    case 'unverified':
      return <Unverified {...properties} />;
    case 'failing':
      return <Failing {...properties} />;
    case 'disabled':
      return <Disabled {...properties} />;
    default:
      return <Skipped {...properties} />;
  }
}

function Unverified({ account, webhook, actions, onVerify }: BannerProperties): ReactNode {
  const now = useNow(30_000);
  const [verification] = webhook.verification?.nodes ?? [];
  const isExpired =
    verification !== undefined && now.getTime() - new Date(verification.createdAt).getTime() > 86_400_000;
  return (
    <>
      <Banner
        tone="warn"
        title={isExpired ? texts.page.expired : texts.page.unverified}
        actions={
          isExpired ? (
            <WebhookLink account={account} webhook={webhook} to="/accounts/$account/webhooks/$webhook/edit">
              Edit address
            </WebhookLink>
          ) : (
            <Button onPress={onVerify} isPending={actions.isVerifying}>
              Send again
            </Button>
          )
        }
      >
        {isExpired ? <p>{texts.page.expiredMore}</p> : <VerificationSoFar webhook={webhook} />}
      </Banner>
      <OpeningHelp isSigned={webhook.webhookPolicy !== null} account={account} />
    </>
  );
}

function VerificationSoFar({ webhook }: { readonly webhook: WebhookDetail }): ReactNode {
  const [verification] = webhook.verification?.nodes ?? [];
  if (verification === undefined) return <p>{texts.page.verificationUnderWay}</p>;
  const { state, createdAt, nextAttemptAt } = verification;
  const answer = answerOf(verification);
  return (
    <p>
      <code>webhook.verify</code> was sent <Time at={createdAt} />.{' '}
      {state === 'delivered'
        ? `The receiver accepted it (${answer}) but has not opened the callback yet; the code is valid for 24 hours.`
        : answer === undefined
          ? 'The first attempt is in progress.'
          : `It failed: ${answer}.`}
      {nextAttemptAt !== null && (
        <>
          {' '}
          Next attempt <NextAttempt at={nextAttemptAt} />
        </>
      )}
    </p>
  );
}

function Failing({ account, webhook, onSent }: BannerProperties): ReactNode {
  const { consecutiveFailures, failingSince, lastError, wouldBeDisabledAt, warningPercent } = webhook;
  return (
    <Banner
      tone="bad"
      title={lastError === null ? 'Calls are failing' : sentence(lastError)}
      actions={
        <>
          <WebhookLink
            account={account}
            webhook={webhook}
            to="/accounts/$account/webhooks/$webhook"
            search={{ state: 'trouble' }}
          >
            Show failures
          </WebhookLink>
          <RetryWaiting account={account} webhook={webhook} onDone={onSent} />
        </>
      }
    >
      <p>
        {failingSince !== null && `It has been failing since ${formatMoment(failingSince, 'dayAndTime')}. `}
        {wouldBeDisabledAt !== null && (
          <>
            After <strong>{formatMoment(wouldBeDisabledAt, 'dayAndTime')}</strong> a failure disables it
            {consecutiveFailures < mostFailures && `, if ${mostFailures} in a row have failed by then`}:{' '}
          </>
        )}
        <span className="nowrap">
          <progress
            max={mostFailures}
            value={Math.min(consecutiveFailures, mostFailures)}
            aria-label="Failures in a row"
          />{' '}
          {consecutiveFailures < mostFailures
            ? `${consecutiveFailures} of ${mostFailures}.`
            : `${formatNumber(consecutiveFailures)} in a row.`}
        </span>
        {warningPercent !== null && ` Administrators were warned at ${warningPercent} %.`}
      </p>
      <p>{texts.page.answering}</p>
    </Banner>
  );
}

function Disabled({ webhook, actions, onEnable }: BannerProperties): ReactNode {
  return (
    <Banner
      tone="bad"
      title={webhook.disabledReason ?? 'The webhook is disabled'}
      actions={
        <Button onPress={onEnable} isPending={actions.isSetting}>
          Enable and review skipped events
        </Button>
      }
    >
      <p>{texts.page.disabled}</p>
    </Banner>
  );
}

function Skipped({ account, webhook }: BannerProperties): ReactNode {
  const count = webhook.skipped?.count ?? 0;
  if (count === 0) return null;
  return (
    <Banner
      tone="info"
      title={`${formatNumber(count)} ${count === 1 ? 'event was' : 'events were'} skipped while it could not be called`}
      actions={
        <WebhookLink account={account} webhook={webhook} to="/accounts/$account/webhooks/$webhook/recover">
          Review them
        </WebhookLink>
      }
    >
      <p>{texts.page.skipped}</p>
    </Banner>
  );
}

/** A link to a page of the webhook, as a button. */
function WebhookLink({
  account,
  webhook,
  to,
  search = {},
  children,
}: Pick<BannerProperties, 'account' | 'webhook'> & {
  readonly to: `/accounts/$account/webhooks/$webhook${'' | '/edit' | '/recover'}`;
  readonly search?: { readonly state?: 'trouble' };
  readonly children: string;
}): ReactNode {
  return (
    <Link className={buttonClass()} to={to} params={{ account, webhook: numberOf(webhook.id) }} search={search}>
      {children}
    </Link>
  );
}

/** This many failures in a row disable a webhook, once they have lasted for a week. */
const mostFailures = 20;

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
