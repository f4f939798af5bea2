import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { useTyped } from '../api/types';
import { Button, buttonClass } from '../design/button';
import { ConfirmDialog } from '../design/dialog';
import { ActionMenu } from '../design/menu';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { Fetched, Marked } from '../frame/fetched';
import { NotThere } from '../frame/not-there';
import { Page } from '../frame/page';
import { useShortcuts } from '../frame/shortcuts';
import { HealthBadge } from '../parts/webhook-health';
import { DeliveriesPanel, filterOf } from './deliveries-panel';
import { webhookDetail } from './documents';
import type { WebhookDetail } from './documents';
import { HealthBanner } from './health-banner';
import { useLive } from './live';
import { Sidebar } from './sidebar';
import { TestResult } from './test-result';
import { texts } from './texts';
import { useWebhookActions } from './webhook-actions';

const page = { document: webhookDetail, fragment: 'WebhookSettings' };

/** One webhook: its state, its recent calls, what it missed, and its history. */
export function WebhookPage(): ReactNode {
  const { webhook } = useParams({ from: '/accounts/$account/webhooks/$webhook' });
  return <OneWebhook key={webhook} number={webhook} />;
}

function OneWebhook({ number }: { readonly number: string }): ReactNode {
  const { account } = useAccount();
  const search = useSearch({ from: '/accounts/$account/webhooks/$webhook' });
  const [openedAt] = useState(() => Date.now());
  const variables = { id: number, first: 20, filter: filterOf(search, openedAt) };
  const { query } = useTyped('webhook', page, variables, account);
  const crumbs = [{ label: 'Webhooks', to: `/accounts/${account}/webhooks` }];
  const webhook = query.data?.data.webhook;
  if (webhook)
    return (
      <Shown
        account={account}
        detail={webhook}
        fetchedAt={query.dataUpdatedAt}
        openedAt={openedAt}
        isFiltered={Object.keys(search).length > 0}
        error={query.error}
      />
    );
  return (
    <Page title={`Webhook ${number}`} crumbs={crumbs}>
      <Fetched query={query}>
        {() => (
          <NotThere what={`webhook ${number}`} list="webhooks" all="all webhooks">
            <p>{texts.page.missing}</p>
          </NotThere>
        )}
      </Fetched>
    </Page>
  );
}

function Shown({
  account,
  detail,
  fetchedAt,
  openedAt,
  isFiltered,
  error,
}: {
  readonly account: string;
  readonly detail: WebhookDetail;
  readonly fetchedAt: number;
  readonly openedAt: number;
  readonly isFiltered: boolean;
  readonly error: Error | null;
}): ReactNode {
  const navigate = useNavigate();
  const client = useQueryClient();
  const actions = useWebhookActions(account);
  const [isDeleting, setDeleting] = useState(false);
  const [tested, setTested] = useState<{ readonly after: string }>();
  const [sentAt, setSentAt] = useState(0);
  const { webhook, newest } = useLive(account, detail, fetchedAt, openedAt, sentAt, isFiltered);
  const params = { account, webhook: numberOf(webhook.id) };
  const path = `/accounts/${account}/webhooks/${params.webhook}`;

  const sendTest = async (): Promise<void> => {
    const after = newest[0]?.createdAt ?? '';
    if (!(await actions.sendTest(webhook))) return;
    setTested({ after });
    setSentAt(Date.now());
  };
  const verify = async (): Promise<void> => {
    if (webhook.state !== 'unverified') showToast(`${webhook.name} needs no verification.`);
    else if (await actions.verify(webhook)) setSentAt(Date.now());
  };
  const enable = async (thenLook: boolean): Promise<void> => {
    if ((await actions.setDisabled(webhook, false)) && thenLook)
      void navigate({ to: '/accounts/$account/webhooks/$webhook/recover', params });
  };
  const remove = async (): Promise<void> => {
    if (!(await actions.remove(webhook))) return;
    await navigate({ to: '/accounts/$account/webhooks', params });
    // Only after leaving: this page would show that the webhook does not exist.
    await client.invalidateQueries({ queryKey: [account] });
  };
  useShortcuts({
    t: () => void sendTest(),
    v: () => void verify(),
    e: () => void navigate({ to: `/accounts/$account/webhooks/$webhook/edit`, params }),
    y: () => void navigate({ to: '/accounts/$account/webhooks/$webhook/why', params }),
    o: () => void navigate({ to: '/accounts/$account/webhooks/$webhook/recover', params }),
  });

  return (
    <Page
      title={webhook.name}
      crumbs={[{ label: 'Webhooks', to: `/accounts/${account}/webhooks` }]}
      badge={<HealthBadge webhook={webhook} />}
      lead={webhook.description ?? `${webhook.event} → ${webhook.uri}`}
      actions={
        <>
          <Link className={buttonClass()} to="/accounts/$account/webhooks/$webhook/why" params={params}>
            Why?
          </Link>
          <Button kind="primary" onPress={() => void sendTest()} isPending={actions.isTesting}>
            Send test
          </Button>
          <ActionMenu
            label="More actions"
            actions={[
              { id: 'edit', label: 'Edit', keys: 'e', href: `${path}/edit` },
              { id: 'recover', label: 'Recover missed events', keys: 'o', href: `${path}/recover` },
              webhook.disabled
                ? { id: 'enable', label: 'Enable', onAction: () => void enable(false) }
                : { id: 'disable', label: 'Disable', onAction: () => void actions.setDisabled(webhook, true) },
              { id: 'delete', label: 'Delete', isDanger: true, onAction: () => setDeleting(true) },
            ]}
          />
        </>
      }
    >
      <Marked error={error}>
        <HealthBanner
          account={account}
          webhook={webhook}
          actions={actions}
          onSent={() => setSentAt(Date.now())}
          onVerify={() => void verify()}
          onEnable={() => void enable(true)}
        />
        {tested && <TestResult account={account} newest={newest} after={tested.after} />}
        <div className="columns">
          <DeliveriesPanel account={account} webhook={webhook} />
          <Sidebar account={account} webhook={webhook} />
        </div>
      </Marked>
      <ConfirmDialog
        title={`Delete ${webhook.name}?`}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        verb="Delete"
        isDanger
        isPending={actions.isRemoving}
        typedName={webhook.name}
        onConfirm={() => void remove()}
      >
        <p>{texts.page.deleting}</p>
      </ConfirmDialog>
    </Page>
  );
}
