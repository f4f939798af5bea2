import { nodeResolvers, orNull } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Clock } from '@itsm/shared/base/time/clock';
import { declaredMutations, declaredReads } from '@itsm/shared/declared/declared.resolvers';
import { derivedResolvers } from '@itsm/shared/declared/declared.resource';
import type { Edits } from '@itsm/shared/declared/edits';
import type { Addresses } from '../webhooks/addresses';
import { auditFields } from '../webhooks/audit-line.resolvers';
import type { Webhook } from '../webhooks/webhook';
import { signingKey } from './key-schedule';
import { policyType } from './policy';
import type { Policy } from './policy';
import { authorOf } from './policy-changes';
import { pemOf, policyDerivations } from './policy.resource';
import type { PolicyService, PolicyWithKey } from './policy.service';

interface Dependencies {
  readonly policies: PolicyService;
  readonly edits: Edits<typeof policyType, PolicyWithKey>;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
  readonly now: Clock;
}

/** Root fields and types of webhook policies. */
export function createPolicyResolvers({ policies, edits, addresses, nodeIdDomain, now }: Dependencies) {
  const { idOf, mutation } = nodeResolvers({ type: 'WebhookPolicy', nodeIdDomain, restNames: {} });
  const { query, object } = declaredReads(policyType, edits, nodeIdDomain);
  const { auditLines, line } = auditFields('webhook-policy:Read', 'WebhookPolicyAuditLine', {
    find: (accountId, id) => policies.audit(accountId, id),
    addresses,
    nodeIdDomain,
  });

  return {
    Query: query,
    Mutation: {
      ...declaredMutations(policyType, edits, nodeIdDomain),
      webhookPolicyRotate: mutation<IdInput>('webhook-policy:Update', async ({ id }, caller) => {
        const webhookPolicy = await policies.rotate(caller.accountId, idOf(id), authorOf(caller));
        return { webhookPolicy, ...webhookPolicy.issued };
      }),
    },
    Webhook: {
      webhookPolicy: allowed<unknown, Webhook>(
        'webhook-policy:Read',
        ({ accountId, webhookPolicyId: id }) => (id === null ? null : orNull(() => policies.find(accountId, id))),
        'account_administrator',
      ),
    },
    WebhookPolicy: {
      ...object,
      ...derivedResolvers(policyDerivations, addresses),
      account: ({ accountId }: Policy) => ({ id: toNodeId(nodeIdDomain, 'Account', accountId) }),
      publicKeyPem: ({ keys }: Policy) => pemOf(signingKey(keys, now())),
      auditLines,
    },
    WebhookPolicyAuditLine: line,
  };
}
