import './recover.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import type { ResultOf } from '../api/graphql';
import { useDocument } from '../api/queries';
import { Button, buttonClass } from '../design/button';
import { TextField } from '../design/field';
import { toField } from '../design/formats';
import { Banner, Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { NotThere } from '../frame/not-there';
import { Page } from '../frame/page';
import { recoverWebhook } from './recover-document';
import { RecoverPlan } from './recover-plan';
import { suggestionsOf, toMoment } from './recover-span';

type Webhook = NonNullable<ResultOf<typeof recoverWebhook>['webhook']>;

/** Recovery after an outage: review the failed and skipped deliveries of a span, then send them. */
export function RecoverPage(): ReactNode {
  const { webhook: id } = useParams({ from: '/accounts/$account/webhooks/$webhook/recover' });
  const { account } = useAccount();
  const query = useDocument(recoverWebhook, { id }, account, {
    pollEvery: (known) => ((known?.webhook?.consecutiveFailures ?? 0) > 0 ? 10_000 : false),
  });
  const name = query.data?.data.webhook?.name;
  const path = `/accounts/${account}/webhooks`;
  return (
    <Page
      title={name === undefined ? 'Recover' : `Recover ${name}`}
      crumbs={[{ label: 'Webhooks', to: path }, ...(name === undefined ? [] : [{ label: name, to: `${path}/${id}` }])]}
      lead="Resend what was not delivered during an outage. You see a preview before anything is sent."
    >
      <Fetched query={query}>
        {({ data: { webhook } }) =>
          webhook ? (
            <Recover webhook={webhook} />
          ) : (
            <NotThere what={`webhook ${id}`} list="webhooks" all="all webhooks" />
          )
        }
      </Fetched>
    </Page>
  );
}

function Recover({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { account } = useAccount();
  const search = useSearch({ from: '/accounts/$account/webhooks/$webhook/recover' });
  // Computed once, so that the span does not change while it is being read.
  const [suggestions] = useState(() => suggestionsOf(webhook, new Date()));
  const [{ from, until }, setSpan] = useState(() => ({
    from: asked(search.from) ?? toField(suggestions[0]?.from ?? new Date()),
    until: asked(search.until) ?? toField(new Date()),
  }));
  const navigate = useNavigate({ from: '/accounts/$account/webhooks/$webhook/recover' });
  // The address keeps the span, for a reload or a new sign-in.
  const change = (span: { readonly from: string; readonly until: string }): void => {
    setSpan(span);
    const [first, last] = [toMoment(span.from, false), toMoment(span.until, true)];
    const next = { from: first?.toISOString(), until: last?.toISOString() };
    void navigate({ search: next, replace: true, resetScroll: false });
  };
  const begin = toMoment(from, false);
  const end = toMoment(until, true);
  const error = spanError(begin, end);
  return (
    <>
      {webhook.state !== 'active' && (
        <Banner
          tone="warn"
          title={`The webhook is ${webhook.state}: nothing can be sent to it now.`}
          actions={
            <Link
              className={buttonClass('primary')}
              to="/accounts/$account/webhooks/$webhook"
              params={{ account, webhook: numberOf(webhook.id) }}
            >
              {webhook.state === 'unverified' ? 'Verify its address' : 'Enable it'}
            </Link>
          }
        >
          <p>You can still see what it missed.</p>
        </Banner>
      )}
      {webhook.state === 'active' && webhook.consecutiveFailures > 0 && (
        <Banner tone="warn" title="It is still failing.">
          <p>
            {webhook.lastError}:{' '}
            {webhook.consecutiveFailures === 1 ? 'the last call' : `the last ${webhook.consecutiveFailures} calls`}{' '}
            failed. Fix the receiver first, or sending fails again.
          </p>
        </Banner>
      )}
      <Panel title="When">
        <div className="row" role="group" aria-label="Suggested periods">
          {suggestions.map((suggestion) => (
            <Button
              key={suggestion.label}
              onPress={() => change({ from: toField(suggestion.from), until: toField(new Date()) })}
            >
              {suggestion.label}
            </Button>
          ))}
        </div>
        <div className="span-fields">
          <TextField
            label="From"
            type="datetime-local"
            value={from}
            onChange={(text) => change({ from: text, until })}
            error={error}
            name="from"
          />
          <TextField
            label="Until"
            type="datetime-local"
            value={until}
            onChange={(text) => change({ from, until: text })}
            name="until"
          />
        </div>
      </Panel>
      {begin && end && error === undefined && (
        <RecoverPlan id={numberOf(webhook.id)} isActive={webhook.state === 'active'} from={begin} until={end} />
      )}
    </>
  );
}

function asked(moment: string | undefined): string | undefined {
  const found = new Date(moment ?? Number.NaN);
  return Number.isNaN(found.getTime()) ? undefined : toField(found);
}

function spanError(from: Date | undefined, until: Date | undefined): string | undefined {
  if (!from || !until) return 'Enter a date and a time for both.';
  return from > until ? 'The start is after the end.' : undefined;
}
