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
  const { id, accountId, algorithm, audience, expiresInMinutes, disabled, keys, revision } = policy;
  const message: PolicySaved = {
    id,
    accountId,
    algorithm,
    audience,
    expiresInMinutes,
    state: isDeleted ? 'deleted' : disabled ? 'disabled' : 'enabled',
    issuers: { account: addresses.accountUrl(accountId), discovery: issuerOf(policy, addresses) },
    keys: isDeleted
      ? []
      : keys.map(({ kid, signsFrom, sealed }) => ({ kid, signsFrom: signsFrom.toISOString(), sealed })),
    version: revision,
  };
  return outboxEntry(policySaved, message, `${id}.${revision}`);
}
