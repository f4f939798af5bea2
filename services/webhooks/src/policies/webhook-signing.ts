import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { Signed, SigningCheck } from '../webhooks/webhook.service';
import { isShared } from './policy';
import type { PolicyRepository } from './policy.repository';

const refused = (field: string, text: string) => validationFailed([[field, text]]);

export function createSigningCheck(policies: Pick<PolicyRepository, 'find'>): SigningCheck {
  return async (after, before) => {
    const { accountId, webhookPolicyId, openidConnectDiscovery } = after;
    const isNewlyLinked = webhookPolicyId !== (before?.webhookPolicyId ?? null);
    if (!isNewlyLinked && openidConnectDiscovery === (before?.openidConnectDiscovery ?? false)) return;
    const policy = webhookPolicyId === null ? undefined : await policies.find(accountId, webhookPolicyId);
    if (webhookPolicyId !== null && !policy) throw refused('webhook_policy_id', 'Webhook policy is not known');
    if (policy?.disabled && isNewlyLinked) throw refused('webhook_policy_id', 'Webhook policy is disabled');
    if (openidConnectDiscovery && (!policy || isShared(policy.algorithm)))
      throw refused('openid_connect_discovery', 'Openid connect discovery needs a webhook policy with a key pair');
  };
}

/** The `signing` member of a delivery request: policy id and whether discovery is on. */
export const signingOf = ({ webhookPolicyId, openidConnectDiscovery }: Signed): Pick<SealedRequest, 'signing'> =>
  webhookPolicyId === null ? {} : { signing: { policyId: webhookPolicyId, discovery: openidConnectDiscovery } };
