import type { WebhookStopped } from '@itsm/shared/contracts/deliveries';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { NewWebhook, WebhookChanges } from './webhook.input';
import { isMasked, maskUri } from './webhook-uri';
import { emptyStreak } from './webhook';
import type { Webhook } from './webhook';

const byAdministrator = 'Disabled by an administrator';

interface Registration {
  readonly id: number;
  readonly accountId: string;
  /** Whether another webhook of the account has proven the same address. */
  readonly uriIsVerified: boolean;
}

export function newWebhook({ id, accountId, uriIsVerified }: Registration, input: NewWebhook, now: Date): Webhook {
  checkUnmasked(input.uri);
  return {
    id,
    accountId,
    name: input.name ?? input.event,
    event: input.event,
    uri: input.uri,
    description: input.description ?? null,
    disabled: input.disabled ?? false,
    disabledReason: input.disabled ? byAdministrator : null,
    verified: uriIsVerified,
    addressGivenAt: now,
    verification: null,
    streak: emptyStreak(now),
    lastError: null,
    mailExceptionsTo: input.mail_exceptions_to ?? null,
    webhookPolicyId: input.webhook_policy_id ?? null,
    openidConnectDiscovery: input.openid_connect_discovery ?? false,
    source: input.source ?? null,
    sourceID: input.sourceID ?? null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
}

/** The webhook after an administrator's update. A new address voids the proof; enabling again resets the failures. */
export function changedWebhook(webhook: Webhook, changes: WebhookChanges, now: Date): Webhook {
  const uri = changedUri(webhook, changes.uri);
  const moved = uri !== webhook.uri;
  const disabled = changes.disabled ?? webhook.disabled;
  const enabled = webhook.disabled && !disabled;
  return {
    ...webhook,
    name: changes.name ?? webhook.name,
    event: changes.event ?? webhook.event,
    uri,
    description: changes.description === undefined ? webhook.description : changes.description,
    disabled,
    disabledReason: disabled ? (webhook.disabledReason ?? byAdministrator) : null,
    verified: webhook.verified && !moved,
    addressGivenAt: moved ? now : webhook.addressGivenAt,
    verification: null,
    streak: moved || enabled ? emptyStreak(now) : webhook.streak,
    lastError: moved ? null : webhook.lastError,
    mailExceptionsTo: changes.mail_exceptions_to === undefined ? webhook.mailExceptionsTo : changes.mail_exceptions_to,
    webhookPolicyId: changes.webhook_policy_id === undefined ? webhook.webhookPolicyId : changes.webhook_policy_id,
    openidConnectDiscovery: changes.openid_connect_discovery ?? webhook.openidConnectDiscovery,
    source: changes.source === undefined ? webhook.source : changes.source,
    sourceID: changes.sourceID === undefined ? webhook.sourceID : changes.sourceID,
    updatedAt: now,
  };
}

/** The masked address, sent back as it was shown, means no change; with other parts changed the secret is needed again. */
function changedUri(webhook: Webhook, given: string | undefined): string {
  if (given === undefined || given === maskUri(webhook.uri)) return webhook.uri;
  checkUnmasked(given);
  return given;
}

function checkUnmasked(uri: string): void {
  if (isMasked(uri)) throw validationFailed([['uri', 'Uri has a masked password: enter the password again']]);
}

/** Why deliveries that still wait are given up after a change; undefined when they are not. */
export function stopReason(before: Webhook, after: Webhook): WebhookStopped['reason'] | undefined {
  if (before.uri !== after.uri) return 'uri_changed';
  return !before.disabled && after.disabled ? 'disabled' : undefined;
}

export const disabledWebhook = (webhook: Webhook, reason: string, now: Date): Webhook => ({
  ...webhook,
  disabled: true,
  disabledReason: reason,
  verification: null,
  updatedAt: now,
});
