import { policySaved } from '@itsm/shared/contracts/webhook-policies';
import type { PolicySaved } from '@itsm/shared/contracts/webhook-policies';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Addresses } from '../webhooks/addresses';
import type { Policy } from './policy';

/** `<account url>/webhook_policies/<name>`, below which the discovery document is served. */
export const issuerOf = ({ accountId, name }: Policy, addresses: Pick<Addresses, 'accountUrl'>): string =>
  `${addresses.accountUrl(accountId)}/webhook_policies/${name}`;

/** The message that publishes the policy and its sealed keys to webhook-delivery. */
export function policyMessage(policy: Policy, addresses: Addresses, isDeleted = false): OutboxEntry {
  const { id, accountId, disabled, keys, version } = policy;
  const message: PolicySaved = {
    id,
    accountId,
    algorithm: policy.jwtAlg,
    audience: policy.jwtAudience,
    expiresInMinutes: policy.jwtClaimExpiresIn,
    state: isDeleted ? 'deleted' : disabled ? 'disabled' : 'enabled',
    issuers: { account: addresses.accountUrl(accountId), discovery: issuerOf(policy, addresses) },
    keys: isDeleted
      ? []
      : keys.map(({ kid, signsFrom, sealed }) => ({ kid, signsFrom: signsFrom.toISOString(), sealed })),
    version,
  };
  return outboxEntry(policySaved, message, `${id}.${version}`);
}
