import type { Connection } from 'mongoose';
import type { PolicySaved } from '@itsm/shared/contracts/webhook-policies';
import { saveNewer } from '@itsm/shared/stores/mongo/save-newer';

/** This service's copy of a webhook policy, with sealed keys. */
export type SigningPolicy = PolicySaved;
export type SealedKey = PolicySaved['keys'][number];

/** Copies of the webhook policies, ordered by version: an older message never overwrites a newer one. */
export interface SigningPolicyRepository {
  save(policy: PolicySaved): Promise<void>;
  find(accountId: string, id: number): Promise<SigningPolicy | undefined>;
}

export const signingPoliciesCollection = 'signing_policies';

export type SigningPolicyDocument = Omit<SigningPolicy, 'id'> & { readonly _id: number };

export function createSigningPolicyRepository(connection: Connection): SigningPolicyRepository {
  const policies = connection.collection<SigningPolicyDocument>(signingPoliciesCollection);
  return {
    save: (policy) => saveNewer(connection, signingPoliciesCollection, policy),
    async find(accountId, id) {
      const found = await policies.findOne({ _id: id, accountId });
      if (!found) return undefined;
      const { _id, ...policy } = found;
      return { id: _id, ...policy };
    },
  };
}
