import type { WebhookStopped } from '@itsm/shared/contracts/deliveries';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { defaultOptions, emptyStreak } from './webhook';
import type { Webhook } from './webhook';
import type { NewWebhook, WebhookChanges } from './webhook.resource';
import { isMasked, maskUri } from './webhook-uri';

const byAdministrator = 'Disabled by an administrator';

interface Registration {
  readonly id: number;
  readonly accountId: string;
  /** Whether another webhook of the account has proven the same address. */
  readonly uriIsVerified: boolean;
}

export function newWebhook({ id, accountId, uriIsVerified }: Registration, input: NewWebhook, now: Date): Webhook {
  const { event, uri, name = event, disabled = false, ...options } = input;
  checkUnmasked(uri);
  return {
    id,
    accountId,
    name,
    event,
    uri,
    ...defaultOptions,
    ...options,
    disabled,
    disabledReason: disabled ? byAdministrator : null,
    verified: uriIsVerified,
    addressGivenAt: now,
    verification: null,
    streak: emptyStreak(now),
    lastError: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
}

/** The webhook after an administrator's update. A new address voids the proof; enabling again resets the failures. */
export function changedWebhook(webhook: Webhook, { uri: given, ...changes }: WebhookChanges, now: Date): Webhook {
  const uri = changedUri(webhook, given);
  const moved = uri !== webhook.uri;
  const after = { ...webhook, ...changes, uri };
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
function changedUri(webhook: Webhook, given: string | undefined): string {
  if (given === undefined || given === maskUri(webhook.uri)) return webhook.uri;
  checkUnmasked(given);
  return given;
}

function checkUnmasked(uri: string): void {
  if (isMasked(uri)) throw validationFailed([['uri', 'Uri has a masked password: enter the password again']]);
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
