import { randomBytes, timingSafeEqual } from 'node:crypto';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Verification, Webhook } from '../webhooks/webhook';
import { stateOf } from '../webhooks/webhook';

const lifetimeMilliseconds = 24 * 60 * 60 * 1_000;

/** Starts a verification. `code` (24 URL-safe characters) goes only into the message; of it the digest is stored. */
export function beginVerification(now: Date): { readonly code: string; readonly verification: Verification } {
  const code = randomBytes(18).toString('base64url');
  const expiresAt = new Date(now.getTime() + lifetimeMilliseconds);
  return { code, verification: { codeHash: digestOf(code), expiresAt } };
}

/** Whether `code` is the webhook's outstanding, unexpired code; compared in constant time. */
export function proves(webhook: Webhook, code: string, now: Date): boolean {
  const { verification } = webhook;
  if (!verification || stateOf(webhook) !== 'unverified') return false;
  const same = timingSafeEqual(Buffer.from(digestOf(code)), Buffer.from(verification.codeHash));
  return same && now < verification.expiresAt;
}

/** webhook.verify may be sent again while the address is unverified and was set less than 24 hours ago. */
export const mayResend = (webhook: Webhook, now: Date): boolean =>
  stateOf(webhook) === 'unverified' && now.getTime() - webhook.addressGivenAt.getTime() < lifetimeMilliseconds;

const pauseMilliseconds = 10_000;

/** Debounce: whether the outstanding code was sent in the last 10 s. */
export const wasJustSent = ({ verification }: Webhook, now: Date): boolean =>
  verification !== null &&
  now.getTime() - (verification.expiresAt.getTime() - lifetimeMilliseconds) < pauseMilliseconds;

export const verifiedWebhook = (webhook: Webhook, now: Date): Webhook => ({
  ...webhook,
  verified: true,
  verification: null,
  updatedAt: now,
});
