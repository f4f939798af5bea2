import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { Badge } from '../design/badge';
import type { Tone } from '../design/badge';

/** The fields that every screen with a webhook needs. */
export const webhookHealth = graphql(`
  fragment WebhookHealth on Webhook {
    id
    name
    event
    uri
    state
    disabled
    disabledReason
    lastError
    consecutiveFailures
    failingSince
    wouldBeDisabledAt
    warningPercent
    updatedAt
  }
`);

export type WebhookHealth = ResultOf<typeof webhookHealth>;

/** The fields that the badge needs; `deletedAt` only where it was selected. */
type Healthy = Pick<WebhookHealth, 'state' | 'consecutiveFailures'> & { readonly deletedAt?: string | null };

/** From most to least serious. */
export type Health = 'failing' | 'unverified' | 'disabled' | 'active' | 'deleted';
const inOrder: readonly Health[] = ['failing', 'unverified', 'disabled', 'active', 'deleted'];

/** The health of a webhook; an active one whose last call failed is failing. */
export function healthOf({ state, consecutiveFailures, deletedAt }: Healthy): Health {
  if (deletedAt !== undefined && deletedAt !== null) return 'deleted';
  return state === 'active' && consecutiveFailures > 0 ? 'failing' : state;
}

/** Sorts webhooks with problems first, then by name. */
export const byTrouble = (one: WebhookHealth, other: WebhookHealth): number =>
  inOrder.indexOf(healthOf(one)) - inOrder.indexOf(healthOf(other)) || one.name.localeCompare(other.name);

const tones: Readonly<Record<Health, Tone>> = {
  failing: 'bad',
  unverified: 'warn',
  disabled: 'bad',
  active: 'good',
  deleted: 'quiet',
};
const words: Readonly<Record<Exclude<Health, 'failing'>, string>> = {
  unverified: 'Unverified',
  disabled: 'Disabled',
  active: 'Active',
  deleted: 'Deleted',
};

export function HealthBadge({ webhook }: { readonly webhook: Healthy }): ReactNode {
  const health = healthOf(webhook);
  return (
    <Badge tone={tones[health]}>
      {health === 'failing' ? `Failing, ${webhook.consecutiveFailures} in a row` : words[health]}
    </Badge>
  );
}

/** Host and port of a webhook's URL. */
export function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host : uri;
}
