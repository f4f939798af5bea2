import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { useType } from '../api/types';
import { CopyField } from '../design/code';
import { formatNumber } from '../design/formats';
import { Facts, Panel } from '../design/panel';
import { Time } from '../design/time';
import { otherFacts } from '../parts/settings';
import type { WebhookDetail } from './documents';
import { History } from './history';
import { Mails } from './mails';

/** The settings that the page shows by itself. */
const shown =
  'name event uri description disabled webhookPolicy openidConnectDiscovery mailExceptionsTo source sourceID'.split(
    ' ',
  );

/** The webhook's settings beside its calls. */
export function Sidebar({
  account,
  webhook,
}: {
  readonly account: string;
  readonly webhook: WebhookDetail;
}): ReactNode {
  const type = useType('webhook', account).data;
  return (
    <div className="stack">
      <Panel title="About">
        <Facts
          facts={[
            ['Event', webhook.event],
            ['Address', <CopyField key="address" text={webhook.uri} what="the address" />],
            ['Number', numberOf(webhook.id)],
            ['Mails go to', webhook.mailExceptionsTo ?? 'every administrator'],
            ['Source', webhook.source],
            ['Source ID', webhook.sourceID],
            ...otherFacts(type, webhook, shown),
            ['Registered', <Time key="registered" at={webhook.createdAt} />],
            ['Skipped', <SkippedFact key="skipped" account={account} webhook={webhook} />],
          ]}
        />
      </Panel>
      <Panel title="Signing">
        <Signing account={account} webhook={webhook} />
      </Panel>
      <Panel title="Mails">
        <Mails account={account} number={numberOf(webhook.id)} />
      </Panel>
      <Panel title="History">
        <History type={type} lines={webhook.auditLines?.nodes ?? []} />
      </Panel>
    </div>
  );
}

function SkippedFact({ account, webhook }: { readonly account: string; readonly webhook: WebhookDetail }): ReactNode {
  const count = webhook.skipped?.count ?? 0;
  if (count === 0) return 'none';
  return (
    <>
      {formatNumber(count)}{' '}
      <Link to="/accounts/$account/webhooks/$webhook/recover" params={{ account, webhook: numberOf(webhook.id) }}>
        Review
      </Link>
    </>
  );
}

function Signing({ account, webhook }: { readonly account: string; readonly webhook: WebhookDetail }): ReactNode {
  const policy = webhook.webhookPolicy;
  if (policy === null) return <p className="muted">Calls are not signed.</p>;
  const next = policy.keys.map(({ signsFrom }) => signsFrom).find((from) => new Date(from) > new Date());
  return (
    <Facts
      facts={[
        [
          'Policy',
          <Link key="policy" to="/accounts/$account/signing/$policy" params={{ account, policy: numberOf(policy.id) }}>
            {policy.name}
          </Link>,
        ],
        ['Algorithm', policy.jwtAlg.toUpperCase()],
        ['Discovery', webhook.openidConnectDiscovery ? 'yes' : 'no'],
        ['State', policy.disabled ? <span className="text-bad">disabled: nothing is sent unsigned</span> : null],
        [
          'Next key',
          next === undefined ? null : (
            <>
              signs <Time at={next} />
            </>
          ),
        ],
      ]}
    />
  );
}
