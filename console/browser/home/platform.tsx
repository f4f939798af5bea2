import { Link } from '@tanstack/react-router';
import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { useBudget } from '../api/budget';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { Empty, Panel, SkeletonRows } from '../design/panel';
import { Time } from '../design/time';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { HealthBadge, byTrouble, healthOf, webhookHealth } from '../parts/webhook-health';

/** It alone of the first screen has lists to choose from, whose code is large. */
const FirstCalls = lazy(() => import('./first-calls').then((module) => ({ default: module.FirstCalls })));

const document = graphql(
  `
    query HomeAdmin($since: ISO8601Timestamp!) {
      webhooks(first: 100) {
        totalCount
        nodes {
          ...WebhookHealth
        }
      }
      failed: webhookDeliveries(
        first: 5
        filter: { createdAt: { greaterThan: $since }, state: { values: [failed, stopped] } }
      ) {
        totalCount
        nodes {
          id
          event
          createdAt
          webhook {
            id
            name
          }
        }
      }
      any: webhookDeliveries(first: 1, filter: { state: { values: [delivered] } }) {
        totalCount
      }
      oauthApplications(first: 1) {
        totalCount
      }
      securityLog(first: 5, filter: { alert: true }) {
        totalCount
        nodes {
          id
          title
          personName
          createdAt
        }
      }
    }
  `,
  [webhookHealth],
);

type HomeAdmin = ResultOf<typeof document>;

/** For administrators: what is in trouble, and for a new account the first calls. */
export function Platform(): ReactNode {
  const { account } = useAccount();
  const [since] = useState(() => new Date(Date.now() - 86_400_000).toISOString());
  const query = useDocument(document, { since }, account, { pollEvery: () => 60_000 });
  return (
    <Fetched query={query} rows={8}>
      {({ data }) => (
        <>
          <Figures data={data} />
          <div className="columns">
            <div className="stack">
              <Trouble data={data} />
              <Failures data={data} />
              <Suspense fallback={<SkeletonRows rows={6} />}>
                <FirstCalls
                  done={{
                    application: (data.oauthApplications?.totalCount ?? 0) > 0,
                    webhook: (data.webhooks?.totalCount ?? 0) > 0,
                    delivery: (data.any?.totalCount ?? 0) > 0,
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

function Figures({ data }: { readonly data: HomeAdmin }): ReactNode {
  const points = useBudget().points;
  const webhooks = data.webhooks?.nodes ?? [];
  const countOf = (health: string): number => webhooks.filter((webhook) => healthOf(webhook) === health).length;
  const failing = countOf('failing') + countOf('disabled');
  const unverified = countOf('unverified');
  return (
    <div className="figures">
      <WebhookCount tone={failing > 0 ? 'bad' : undefined} count={failing} words="webhooks failing or disabled" />
      <WebhookCount tone={unverified > 0 ? 'warn' : undefined} count={unverified} words="webhooks to be verified" />
      <WebhookCount count={data.webhooks?.totalCount ?? 0} words="webhooks in all" />
      {points && (
        <div className="figure">
          <strong>{points.remaining.toLocaleString('en')}</strong>
          <span className="meta">points left of {points.limit.toLocaleString('en')} this hour</span>
        </div>
      )}
    </div>
  );
}

function WebhookCount({
  count,
  words,
  tone,
}: {
  readonly count: number;
  readonly words: string;
  readonly tone?: 'bad' | 'warn' | undefined;
}): ReactNode {
  const { account } = useAccount();
  const className = tone === undefined ? 'figure' : `figure figure-${tone}`;
  return (
    <Link to="/accounts/$account/webhooks" params={{ account }} className={className}>
      <strong>{count.toLocaleString('en')}</strong>
      <span className="meta">{words}</span>
    </Link>
  );
}

function Failures({ data }: { readonly data: HomeAdmin }): ReactNode {
  const { account } = useAccount();
  const { totalCount, nodes } = data.failed ?? { totalCount: 0, nodes: [] };
  return (
    <Panel
      title="Failed in the last 24 hours"
      isFlush
      {...(totalCount > 0 && {
        actions: (
          <Link to="/accounts/$account/deliveries" params={{ account }} search={{ state: 'failed' }}>
            All {totalCount.toLocaleString('en')}
          </Link>
        ),
      })}
    >
      {totalCount === 0 ? (
        <Empty title="No delivery has failed." />
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

function Trouble({ data }: { readonly data: HomeAdmin }): ReactNode {
  const { account } = useAccount();
  const webhooks = (data.webhooks?.nodes ?? []).filter((webhook) => healthOf(webhook) !== 'active').sort(byTrouble);
  if (webhooks.length === 0) return null;
  return (
    <Panel title="Webhooks that need you" isFlush>
      <ul className="lines">
        {webhooks.slice(0, 5).map((webhook) => (
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
        <Empty title="No sign of theft was seen." />
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

/** A line of what happened, with its moment. */
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
