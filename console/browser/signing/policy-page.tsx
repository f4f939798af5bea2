import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { explain } from '../api/errors';
import { idOf, numberOf } from '../api/number';
import { useWhole } from '../api/pages';
import { useWrite } from '../api/queries';
import { useType, useTyped } from '../api/types';
import { Button } from '../design/button';
import { Secret } from '../design/code';
import { formatNumber } from '../design/formats';
import { ActionMenu } from '../design/menu';
import { Banner, Facts, Panel } from '../design/panel';
import { Time, useNow } from '../design/time';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { Fetched, Marked } from '../frame/fetched';
import { NotThere } from '../frame/not-there';
import { Page } from '../frame/page';
import { dropSecret, useSecrets } from '../frame/shown-once';
import { memberWords, otherFacts } from '../parts/settings';
import { CheckPanel } from './check-panel';
import { policyDetail, policyUpdate, policyWebhooks } from './documents';
import type { Policy, PolicyInUse, PolicyLine } from './documents';
import { KeyTimeline } from './key-timeline';
import { isShared, shortKid, waitingKey } from './keys';
import { PolicyBadge } from './policy-list';
import { DeleteDialog, DisableDialog, EditDialog, RotateDialog } from './policy-dialogs';
import { ReceiverPanel } from './receiver-panel';

const page = { document: policyDetail, fragment: 'PolicyFields' };

/** One policy: its keys over time, the webhooks that use it, and how to verify its signatures. */
export function PolicyPage(): ReactNode {
  const { account, session } = useAccount();
  const { policy: number } = useParams({ from: '/accounts/$account/signing/$policy' });
  const id = idOf('WebhookPolicy', number, session.person.id);
  const { query } = useTyped('webhook_policy', page, { id }, account);
  const data = query.data?.data;
  const first = data?.webhooks;
  const webhooks = useWhole(first, policyWebhooks, { first: 100, id }, account, (answer) => answer.webhooks).nodes;
  const policy = data?.webhookPolicy;
  if (!policy)
    return (
      <Page title={`Policy ${number}`} crumbs={[{ label: 'Signing', to: `/accounts/${account}/signing` }]}>
        <Fetched query={query}>
          {() => <NotThere what={`policy ${number}`} list="signing" all="all policies" />}
        </Fetched>
      </Page>
    );
  return (
    <Shown
      policy={policy}
      webhooks={webhooks}
      total={first?.totalCount ?? 0}
      lines={policy.auditLines?.nodes ?? []}
      error={query.error}
    />
  );
}

type Open = 'edit' | 'rotate' | 'disable' | 'delete';

function Shown({
  policy,
  webhooks,
  total,
  lines,
  error,
}: PolicyInUse & { readonly lines: readonly PolicyLine[]; readonly error: Error | null }): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const secrets = useSecrets();
  const update = useWrite(policyUpdate, account);
  const close = (): void => setOpen(undefined);
  const enable = (): void =>
    update.mutate(
      { input: { id: policy.id, disabled: false } },
      {
        onSuccess: () => showToast(`${policy.name} signs again.`),
        onError: (refused) => showToast(explain(refused), 'bad'),
      },
    );
  const gone = (): void => void navigate({ to: '/accounts/$account/signing', params: { account } });
  return (
    <Page
      title={policy.name}
      crumbs={[{ label: 'Signing', to: `/accounts/${account}/signing` }]}
      badge={<PolicyBadge policy={policy} />}
      actions={
        <>
          <Button onPress={() => setOpen('edit')}>Edit</Button>
          <ActionMenu
            label={`Actions for ${policy.name}`}
            actions={[
              policy.disabled
                ? { id: 'enable', label: 'Enable', onAction: enable }
                : { id: 'disable', label: 'Disable…', isDanger: true, onAction: () => setOpen('disable') },
              { id: 'delete', label: 'Delete…', isDanger: true, onAction: () => setOpen('delete') },
            ]}
          />
        </>
      }
    >
      <Marked error={error}>
        {policy.disabled && (
          <Banner
            tone="bad"
            title="Disabled: its webhooks deliver nothing, not even unsigned."
            actions={
              <Button onPress={enable} isPending={update.isPending}>
                Enable
              </Button>
            }
          >
            <p>Their deliveries wait and are retried on schedule. Its published keys are withdrawn.</p>
          </Banner>
        )}
        {policy.keys
          .filter(({ kid }) => secrets[kid] !== undefined)
          .map(({ kid }) => (
            <Secret
              key={kid}
              title={
                isShared(policy)
                  ? `The shared secret ${shortKid(kid)}.`
                  : `The public key ${shortKid(kid)}, for receivers that store it.`
              }
              text={secrets[kid]!}
              file={isShared(policy) ? `${policy.name}-secret.txt` : `${policy.name}.pem`}
              onStored={() => dropSecret(kid)}
            />
          ))}
        <div className="columns">
          <div className="stack">
            <KeyPanel policy={policy} onRotate={() => setOpen('rotate')} />
            <ReceiverPanel policy={policy} webhooks={webhooks} total={total} />
            <CheckPanel policy={policy} webhooks={webhooks} total={total} />
          </div>
          <div className="stack">
            <WebhookPanel policy={policy} webhooks={webhooks} total={total} />
            <SettingsPanel policy={policy} />
            <HistoryPanel lines={lines} />
          </div>
        </div>
      </Marked>
      {open === 'edit' && <EditDialog policy={policy} onClose={close} />}
      {open === 'rotate' && <RotateDialog policy={policy} onClose={close} />}
      {open === 'disable' && <DisableDialog policy={policy} onClose={close} />}
      {open === 'delete' && (
        <DeleteDialog policy={policy} webhooks={webhooks} total={total} onClose={close} onGone={gone} />
      )}
    </Page>
  );
}

function KeyPanel({ policy, onRotate }: { readonly policy: Policy; readonly onRotate: () => void }): ReactNode {
  const waits = waitingKey(policy.keys, useNow(30_000)) !== undefined;
  return (
    <Panel
      title="Keys"
      actions={
        <Button onPress={onRotate} isDisabled={waits}>
          Rotate key
        </Button>
      }
    >
      <KeyTimeline policy={policy} />
    </Panel>
  );
}

const mostNamed = 10;

function WebhookPanel({ policy, webhooks, total }: PolicyInUse): ReactNode {
  const { account } = useAccount();
  return (
    <Panel title={`Webhooks signed by it: ${formatNumber(total)}`}>
      {webhooks.length === 0 ? (
        <p className="muted">None yet. Choose the policy when you edit a webhook.</p>
      ) : (
        <ul className="stack-tight">
          {webhooks.slice(0, mostNamed).map(({ id, name, event, openidConnectDiscovery }) => (
            <li key={id}>
              <Link to="/accounts/$account/webhooks/$webhook" params={{ account, webhook: numberOf(id) }}>
                {name}
              </Link>
              <div className="meta">
                {String(event) !== name && `${String(event)} · `}
                {openidConnectDiscovery ? 'with key discovery' : 'without key discovery'}
              </div>
            </li>
          ))}
        </ul>
      )}
      {total > mostNamed && (
        <p>
          <Link to="/accounts/$account/webhooks" params={{ account }} search={{ policy: numberOf(policy.id) }}>
            All {formatNumber(total)}
          </Link>
        </p>
      )}
    </Panel>
  );
}

/** The settings that the page shows by itself. */
const shown = ['name', 'jwtAlg', 'jwtAudience', 'jwtClaimExpiresIn', 'keyRotationDays', 'disabled'];

function SettingsPanel({ policy }: { readonly policy: Policy }): ReactNode {
  const type = useType('webhook_policy', useAccount().account).data;
  return (
    <Panel title="Settings">
      <Facts
        facts={[
          ['Algorithm', String(policy.jwtAlg).toUpperCase()],
          ['Audience', policy.jwtAudience ?? 'none'],
          ['Valid for', policy.jwtClaimExpiresIn === null ? 'no expiry' : `${policy.jwtClaimExpiresIn} min.`],
          ['Rotation', policy.keyRotationDays === null ? 'on request' : `every ${policy.keyRotationDays} days`],
          ['Issuer', policy.issuer],
          [
            'Discovery',
            policy.issuer !== null && !policy.disabled ? (
              <a href={`${policy.issuer}/.well-known/openid-configuration`}>document</a>
            ) : null,
          ],
          ...otherFacts(type, policy, shown),
          ['Created', <Time key="created" at={policy.createdAt} />],
        ]}
      />
    </Panel>
  );
}

const actionWords: Readonly<Record<string, string>> = {
  created: 'created it',
  updated: 'changed it',
  disabled: 'disabled it',
};

function HistoryPanel({ lines }: { readonly lines: readonly PolicyLine[] }): ReactNode {
  const type = useType('webhook_policy', useAccount().account).data;
  if (lines.length === 0) return null;
  return (
    <Panel title="History">
      <ol className="stack-tight">
        {lines.toReversed().map(({ id, action, personName, createdAt, changes }) => (
          <li key={id}>
            {personName ?? 'The service'} {actionWords[action] ?? action}
            <span className="meta">
              {' '}
              <Time at={createdAt} />
            </span>
            {action !== 'created' && changes.length > 0 && (
              <div className="meta">{changes.map((change) => changeWords(type, change)).join('; ')}</div>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const changeWords = (type: TypeDescription | undefined, { field, from, to }: PolicyLine['changes'][number]): string =>
  field === 'keys' ? keyWords(from, to) : `${memberWords(type, field)}: ${valueWords(from)} → ${valueWords(to)}`;
const keyWords = (from: unknown, to: unknown): string =>
  valueWords(to).length > valueWords(from).length ? 'the next key was created' : 'an old key was removed';
const valueWords = (value: unknown): string =>
  value === null || value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
