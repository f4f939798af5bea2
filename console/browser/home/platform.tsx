import { Link } from '@tanstack/react-router';
import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { useBudget } from '../api/budget';
import { numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { formatNumber } from '../design/formats';
import { Empty, Panel, SkeletonRows } from '../design/panel';
import { Time } from '../design/time';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { HealthBadge } from '../parts/webhook-health';
import { homeAdmin, useTrouble } from './platform-document';
import type { HomeAdmin, Trouble } from './platform-document';

/** Lazy: it is the only part of the first screen with choice lists, whose code is large. */
const FirstCalls = lazy(() => import('./first-calls').then((module) => ({ default: module.FirstCalls })));

/** For administrators: what needs attention, and the first calls of a new account. */
export function Platform(): ReactNode {
  const { account, session } = useAccount();
  const [since] = useState(() => new Date(Date.now() - 86_400_000).toISOString());
  const variables = { since, person: session.person.id };
  const query = useDocument(homeAdmin, variables, account, { pollEvery: () => 60_000 });
  const trouble = useTrouble(query.data?.data);
  return (
    <Fetched query={query} rows={8}>
      {({ data }) => (
        <>
          <Figures total={data.webhooks?.totalCount ?? 0} trouble={trouble} />
          <div className="columns">
            <div className="stack">
              <InTrouble trouble={trouble} />
              <Failures data={data} trouble={trouble} />
              <Suspense fallback={<SkeletonRows rows={6} />}>
                <FirstCalls
                  done={{
                    token: (data.tokens?.nodes.length ?? 0) > 0,
                    application: (data.oauthApplications?.totalCount ?? 0) > 0,
                    webhook: (data.webhooks?.totalCount ?? 0) > 0,
                    delivery: (data.any?.nodes.length ?? 0) > 0,
                  }}
                />
              </Suspense>
            </div>
            <Alerts data={data} />
          </div>
        </>
      )}
    </Fetched>
  );
}

function Figures({ total, trouble }: { readonly total: number; readonly trouble: Trouble }): ReactNode {
  const points = useBudget().points;
  const { broken, unverified, areAll } = trouble;
  return (
    <div className="figures">
      <WebhookCount tone={broken > 0 ? 'bad' : undefined} count={broken} isMore={!areAll} words="failing or disabled" />
      <WebhookCount
        tone={unverified > 0 ? 'warn' : undefined}
        count={unverified}
        isMore={!areAll}
        state="unverified"
        words="unverified"
      />
      <WebhookCount count={total} words="in all" />
      {points && (
        <div className="figure">
          <strong>{formatNumber(points.remaining)}</strong>
          <span className="meta">of {formatNumber(points.limit)} points left this hour</span>
        </div>
      )}
    </div>
  );
}

function WebhookCount({
  count,
  isMore = false,
  state,
  words,
  tone,
}: {
  readonly count: number;
  /** Whether the number is a lower bound. */
  readonly isMore?: boolean;
  /** The state filter of the linked list. */
  readonly state?: string;
  /** The text after "webhooks". */
  readonly words: string;
  readonly tone?: 'bad' | 'warn' | undefined;
}): ReactNode {
  const { account } = useAccount();
  const className = tone === undefined ? 'figure' : `figure figure-${tone}`;
  return (
    <Link
      to="/accounts/$account/webhooks"
      params={{ account }}
      search={state === undefined ? {} : { state }}
      className={className}
    >
      <strong>
        {formatNumber(count)}
        {isMore && '+'}
      </strong>
      <span className="meta">
        {count === 1 ? 'webhook' : 'webhooks'} {words}
      </span>
    </Link>
  );
}

function Failures({ data, trouble }: { readonly data: HomeAdmin; readonly trouble: Trouble }): ReactNode {
  const { account } = useAccount();
  const { totalCount, nodes } = data.failed ?? { totalCount: 0, nodes: [] };
  return (
    <Panel
      title="Failed in the last 24 hours"
      isFlush
      actions={
        totalCount > nodes.length && (
          <Link to="/accounts/$account/deliveries" params={{ account }} search={{ state: 'failed,stopped' }}>
            All {formatNumber(totalCount)}
          </Link>
        )
      }
    >
      {totalCount === 0 ? (
        <Empty
          title={trouble.isRetrying ? 'None was given up. Deliveries are being retried.' : 'No failed deliveries.'}
        />
      ) : (
        <ul className="lines">
          {nodes.map(({ id, event, createdAt, webhook }) => (
            <Dated key={id} at={createdAt}>
              <Link to="/accounts/$account/deliveries/$delivery" params={{ account, delivery: id }}>
                {event} to {webhook.name}
              </Link>
            </Dated>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const shown = 5;

function InTrouble({ trouble: { webhooks, areAll } }: { readonly trouble: Trouble }): ReactNode {
  const { account } = useAccount();
  if (webhooks.length === 0) return null;
  return (
    <Panel
      title="Webhooks that need attention"
      isFlush
      actions={
        webhooks.length > shown && (
          <Link to="/accounts/$account/webhooks" params={{ account }} search={{}}>
            All {formatNumber(webhooks.length)}
            {!areAll && '+'}
          </Link>
        )
      }
    >
      <ul className="lines">
        {webhooks.slice(0, shown).map((webhook) => (
          <li key={webhook.id}>
            <Link to="/accounts/$account/webhooks/$webhook" params={{ account, webhook: numberOf(webhook.id) }}>
              {webhook.name}
            </Link>
            <HealthBadge webhook={webhook} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Alerts({ data }: { readonly data: HomeAdmin }): ReactNode {
  const nodes = data.securityLog?.nodes ?? [];
  return (
    <Panel title="Security alerts" isFlush actions={<a href="/oauth/administration/security-log">Security log</a>}>
      {nodes.length === 0 ? (
        <Empty title="No alerts." />
      ) : (
        <ul className="lines">
          {nodes.map(({ id, title, personName, createdAt }) => (
            <Dated key={id} at={createdAt}>
              <span>
                {title}
                {personName !== null && <span className="meta"> · {personName}</span>}
              </span>
            </Dated>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** A line of an event with its time. */
function Dated({ at, children }: { readonly at: string; readonly children: ReactNode }): ReactNode {
  return (
    <li>
      {children}
      <span className="meta">
        <Time at={at} />
      </span>
    </li>
  );
}
