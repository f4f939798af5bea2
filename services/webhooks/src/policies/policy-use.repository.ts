import type { Connection } from 'mongoose';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { webhooksCollection } from '../webhooks/webhook.repository';

/** The ids of the first few webhooks of the account that a policy signs. */
export type PolicyUse = (accountId: string, policyId: number) => Promise<readonly number[]>;

const most = 5;

export function createPolicyUse(connection: Connection): PolicyUse {
  const webhooks = connection.collection<{ _id: number }>(webhooksCollection);
  return async (accountId, webhookPolicyId) => {
    const where = { accountId, webhookPolicyId, deletedAt: { $exists: false } };
    const found = await readForCaller(connection, 'light', (options) =>
      webhooks
        .find(where, { ...options(), projection: { _id: 1 } })
        .limit(most)
        .toArray(),
    );
    return found.map(({ _id }) => _id);
  };
}
