import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { ActionMenu } from '../design/menu';
import type { Column } from '../design/table';
import { NextAttempt } from '../parts/delivery-row';
import { HealthBadge, healthOf, hostOf } from '../parts/webhook-health';
import type { ListedWebhook } from './documents';
import { recentOf } from './recent';
import { texts } from './texts';
import type { WebhookActions } from './webhook-actions';

interface ListContext {
  readonly account: string;
  readonly now: Date;
  /** A ref, read at the time of a press. */
  readonly actions: { readonly current: WebhookActions };
  /** Whether any webhook is signed. */
  readonly areSigned: boolean;
}

export function listColumns(context: ListContext): readonly Column<ListedWebhook>[] {
  const { account, now, areSigned } = context;
  return [
    { heading: 'Health', cell: (webhook) => <HealthBadge webhook={webhook} /> },
    { heading: 'Name', isMain: true, cell: (webhook) => <Name account={account} webhook={webhook} /> },
    {
      heading: 'Calls',
      cell: ({ event, uri }) => (
        <div>
          <div className="nowrap">{event}</div>
          <div className="meta">{hostOf(uri)}</div>
        </div>
      ),
    },
    { heading: 'Last 24 h', cell: (webhook) => <Recently webhook={webhook} now={now} /> },
    { heading: 'Waiting', cell: (webhook) => <Waiting webhook={webhook} now={now} /> },
    ...(areSigned ? [{ heading: 'Signed by', cell: signedBy }] : []),
    {
      heading: 'Actions',
      isHeadingHidden: true,
      isMenu: true,
      cell: (webhook) => <RowMenu webhook={webhook} context={context} />,
    },
  ];
}

const signedBy = ({ webhookPolicy }: ListedWebhook): ReactNode =>
  webhookPolicy?.name ?? <span className="muted">no</span>;

function Name({ account, webhook }: { readonly account: string; readonly webhook: ListedWebhook }): ReactNode {
  const reason = {
    failing: webhook.lastError,
    unverified: texts.list.unverified,
    disabled: webhook.disabledReason,
    active: null,
    deleted: null,
  }[healthOf(webhook)];
  return (
    <div>
      <Link to="/accounts/$account/webhooks/$webhook" params={{ account, webhook: numberOf(webhook.id) }}>
        {webhook.name}
      </Link>
      {reason !== null && <div className="meta">{reason}</div>}
    </div>
  );
}

function Recently({ webhook, now }: { readonly webhook: ListedWebhook; readonly now: Date }): ReactNode {
  const { delivered, failed, isMore } = recentOf(webhook, now);
  if (delivered + failed === 0) return <span className="muted">none</span>;
  return (
    <div>
      <div className="nowrap">
        {delivered}
        {isMore && '+'} delivered
      </div>
      {failed > 0 && <div className="text-bad nowrap">{failed} failed</div>}
    </div>
  );
}

function Waiting({ webhook, now }: { readonly webhook: ListedWebhook; readonly now: Date }): ReactNode {
  const { waiting, isMoreWaiting, nextAttemptAt } = recentOf(webhook, now);
  if (waiting === 0) return <span className="muted">none</span>;
  return (
    <div>
      {waiting}
      {isMoreWaiting && '+'}
      {nextAttemptAt !== undefined && (
        <div className="meta nowrap">
          next <NextAttempt at={nextAttemptAt} />
        </div>
      )}
    </div>
  );
}

function RowMenu({
  webhook,
  context: { account, actions },
}: {
  readonly webhook: ListedWebhook;
  readonly context: ListContext;
}): ReactNode {
  const path = `/accounts/${account}/webhooks/${numberOf(webhook.id)}`;
  return (
    <ActionMenu
      label={`Actions for ${webhook.name}`}
      actions={[
        { id: 'test', label: 'Send test', keys: 't', onAction: () => void actions.current.sendTest(webhook) },
        { id: 'edit', label: 'Edit', keys: 'e', href: `${path}/edit` },
        { id: 'why', label: 'Why was an event not delivered?', href: `${path}/why` },
        {
          id: 'disable',
          label: webhook.disabled ? 'Enable' : 'Disable',
          onAction: () => void actions.current.setDisabled(webhook, !webhook.disabled),
        },
      ]}
    />
  );
}
