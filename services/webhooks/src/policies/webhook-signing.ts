import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { Webhook } from '../webhooks/webhook';
import type { SigningCheck } from '../webhooks/webhook.service';
import { refuse } from '@itsm/shared/declared/read-input';
import { webhookType } from '../webhooks/webhook-type';
import { isShared } from './policy';
import type { PolicyRepository } from './policy.repository';

export function createSigningCheck(policies: Pick<PolicyRepository, 'find'>): SigningCheck {
  return async (after, before) => {
    const { accountId, webhookPolicyId: policyId, openidConnectDiscovery } = after;
    const isNewlyLinked = policyId !== (before?.webhookPolicyId ?? null);
    if (!isNewlyLinked && openidConnectDiscovery === (before?.openidConnectDiscovery ?? false)) return;
    const policy = policyId === null ? undefined : await policies.find(accountId, policyId);
    if (policyId !== null && !policy) throw refuse(webhookType, { webhookPolicyId: 'was not found' });
    if (policy?.disabled && isNewlyLinked) throw refuse(webhookType, { webhookPolicyId: 'is disabled' });
    if (openidConnectDiscovery && (!policy || isShared(policy.jwtAlg)))
      throw refuse(webhookType, { openidConnectDiscovery: 'needs a signing policy with a key pair' });
  };
}

/** The `signing` member of a delivery request: policy id and whether discovery is on. */
export const signingOf = ({ webhookPolicyId, openidConnectDiscovery }: Webhook): Pick<SealedRequest, 'signing'> =>
  webhookPolicyId === null ? {} : { signing: { policyId: webhookPolicyId, discovery: openidConnectDiscovery } };
