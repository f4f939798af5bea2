import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { nextPage, useAllPages, usePages } from '../api/pages';
import type { NextPage } from '../api/pages';
import { isAdministrator } from '../api/roles';
import { Badge } from '../design/badge';
import { Button, buttonClass } from '../design/button';
import { formatNumber } from '../design/formats';
import { Empty, Panel } from '../design/panel';
import { More, Table } from '../design/table';
import { Time, useNow } from '../design/time';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { Page } from '../frame/page';
import { useRowKeys } from '../frame/row-keys';
import { useShortcuts } from '../frame/shortcuts';
import { policyList, policyUsers } from './documents';
import type { Policy } from './documents';
import { rotatesAt, waitingKey } from './keys';
import { RotateDialog } from './policy-dialogs';

/** The policies by which webhook deliveries are signed. */
export function PolicyList(): ReactNode {
  const { account, session } = useAccount();
  const navigate = useNavigate();
  const query = usePages(policyList, { first: 50 }, account, ({ webhookPolicies }) => webhookPolicies);
  const users = usePages(policyUsers, { first: 100 }, account, ({ webhooks }) => webhooks);
  useAllPages(users);
  /** Undefined while unknown; "12+" when not all webhooks were loaded. */
  const countOf = ({ id }: Policy): string | undefined => {
    const count = users.data?.nodes.filter(({ webhookPolicy }) => webhookPolicy?.id === id).length;
    return count === undefined ? undefined : `${formatNumber(count)}${users.hasNextPage ? '+' : ''}`;
  };
  const openNew = (): void => void navigate({ to: '/accounts/$account/signing/new', params: { account } });
  useShortcuts({ n: openNew });
  const newPolicy = (
    <Link className={buttonClass('primary')} to="/accounts/$account/signing/new" params={{ account }}>
      New policy
    </Link>
  );
  return (
    <Page
      title="Signing"
      lead="A policy holds the key that signs webhook deliveries, so that receivers can verify who sent them."
      actions={isAdministrator(session) && newPolicy}
    >
      <Fetched query={query}>
        {({ nodes, totalCount }, isOld) => {
          if (totalCount === 0)
            return (
              <Empty
                title="Nothing is signed yet."
                action={
                  <Button kind="primary" onPress={openNew}>
                    New policy
                  </Button>
                }
              >
                <p>
                  Without a policy, anyone who knows the address of a receiver can call it. With one, each delivery is a
                  JWT that the receiver can verify.
                </p>
              </Empty>
            );
          return (
            <PolicyTable policies={nodes} total={totalCount} next={nextPage(query)} countOf={countOf} isOld={isOld} />
          );
        }}
      </Fetched>
    </Page>
  );
}

function PolicyTable({
  policies,
  total,
  countOf,
  isOld,
  next,
}: {
  readonly policies: readonly Policy[];
  readonly total: number;
  readonly countOf: (policy: Policy) => string | undefined;
  readonly next: NextPage;
  readonly isOld: boolean;
}): ReactNode {
  const { account, session } = useAccount();
  const navigate = useNavigate();
  const [rotating, setRotating] = useState<Policy>();
  useRowKeys(policies, ({ id }) => id);
  // The policy's page shows the new key, once.
  const showNewKey = ({ id }: Policy): void =>
    void navigate({ to: '/accounts/$account/signing/$policy', params: { account, policy: numberOf(id) } });
  return (
    <Panel title="Policies" isFlush>
      <Table
        label="Webhook policies"
        rows={policies}
        keyOf={({ id }) => id}
        isOld={isOld}
        columns={[
          { heading: 'State', isHeadingHidden: true, cell: (policy) => <PolicyBadge policy={policy} /> },
          {
            heading: 'Name',
            isMain: true,
            cell: ({ id, name }) => (
              <Link to="/accounts/$account/signing/$policy" params={{ account, policy: numberOf(id) }}>
                {name}
              </Link>
            ),
          },
          { heading: 'Algorithm', cell: ({ jwtAlg }) => String(jwtAlg).toUpperCase() },
          { heading: 'Audience', cell: ({ jwtAudience }) => jwtAudience ?? <span className="muted">None</span> },
          {
            heading: 'Next key',
            cell: (policy) => (
              <NextKey policy={policy} onRotate={isAdministrator(session) ? () => setRotating(policy) : undefined} />
            ),
          },
          { heading: 'Webhooks', isNumber: true, cell: (policy) => countOf(policy) ?? '–' },
        ]}
      />
      <More shown={policies.length} total={total} noun="policies" {...next} />
      {rotating && (
        <RotateDialog policy={rotating} onClose={() => setRotating(undefined)} onMade={() => showNewKey(rotating)} />
      )}
    </Panel>
  );
}

/** Whether the policy currently signs. */
export function PolicyBadge({ policy }: { readonly policy: Policy }): ReactNode {
  const now = useNow(30_000);
  if (policy.disabled) return <Badge tone="bad">Disabled</Badge>;
  return waitingKey(policy.keys, now) ? <Badge tone="info">New key waiting</Badge> : <Badge tone="good">Active</Badge>;
}

function NextKey({ policy, onRotate }: { readonly policy: Policy; readonly onRotate?: () => void }): ReactNode {
  const now = useNow(30_000);
  const waiting = waitingKey(policy.keys, now);
  if (waiting)
    return (
      <span>
        signs <Time at={waiting.signsFrom} />
      </span>
    );
  const next = rotatesAt(policy);
  return (
    <span className="row">
      {next ? (
        <span>
          <Time at={next.toISOString()} />
        </span>
      ) : (
        <span className="muted">On request</span>
      )}
      {onRotate && (
        <Button onPress={onRotate}>
          Rotate key<span className="visually-hidden"> of {policy.name}</span>
        </Button>
      )}
    </span>
  );
}
