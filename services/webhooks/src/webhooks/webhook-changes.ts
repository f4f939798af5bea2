import type { WebhookStopped } from '@itsm/shared/contracts/deliveries';
import { changedRecord, newRecord, refuse } from '@itsm/shared/declared/read-input';
import { emptyStreak } from './webhook';
import type { Webhook, WebhookInput, WebhookSettings } from './webhook';
import { webhookType } from './webhook-type';
import { isMasked, maskUri } from './webhook-uri';

const byAdministrator = 'Disabled by an administrator';

interface Registration {
  readonly id: number;
  readonly accountId: string;
  /** Whether another webhook of the account has proven the same address. */
  readonly uriIsVerified: boolean;
}

/** The settings of a new webhook; without a name it has that of its event. */
export function newSettings(given: WebhookInput): WebhookSettings {
  const settings = newRecord(webhookType, { ...given, name: given.name ?? given.event ?? '' });
  checkUnmasked(settings.uri);
  return { ...settings, disabledReason: settings.disabled ? byAdministrator : null };
}

export function newWebhook(
  { id, accountId, uriIsVerified }: Registration,
  settings: WebhookSettings,
  now: Date,
): Webhook {
  return {
    id,
    accountId,
    ...settings,
    verified: uriIsVerified,
    addressGivenAt: now,
    verification: null,
    streak: emptyStreak(now),
    lastError: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
}

/** The webhook after an administrator's update. A new address voids the proof; enabling again resets the failures. */
export function changedWebhook(webhook: Webhook, given: WebhookInput, now: Date): Webhook {
  const uri = changedUri(webhook, given.uri);
  const after = { ...webhook, ...changedRecord(webhookType, webhook, { ...given, ...(uri !== undefined && { uri }) }) };
  const moved = after.uri !== webhook.uri;
  const enabled = webhook.disabled && !after.disabled;
  return {
    ...after,
    disabledReason: after.disabled ? (webhook.disabledReason ?? byAdministrator) : null,
    verified: webhook.verified && !moved,
    addressGivenAt: moved ? now : webhook.addressGivenAt,
    verification: null,
    streak: moved || enabled ? emptyStreak(now) : webhook.streak,
    lastError: moved ? null : webhook.lastError,
    updatedAt: now,
  };
}

/** The masked address, sent back as shown, means no change. If other parts differ, the secret must be given again. */
function changedUri(webhook: Webhook, given: WebhookInput['uri']): WebhookInput['uri'] {
  if (given === undefined) return undefined;
  if (given === maskUri(webhook.uri)) return webhook.uri;
  checkUnmasked(given);
  return given;
}

function checkUnmasked(uri: string): void {
  if (isMasked(uri)) throw refuse(webhookType, { uri: 'has a masked password: enter the password again' });
}

/** Why the change stops pending deliveries; undefined when it does not. */
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
