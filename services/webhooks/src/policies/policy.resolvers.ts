import { createPublicKey } from 'node:crypto';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { toConditions } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import { nodeResolvers, numberedIds, orNull } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { parse } from '@itsm/shared/api/http/parse';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Addresses } from '../webhooks/addresses';
import type { Webhook } from '../webhooks/webhook';
import { auditFields, readingBy, rootFields } from '../webhooks/webhook-tools';
import { publishedUntil, signingKey } from './key-schedule';
import { isShared } from './policy';
import type { Policy, PolicyKey } from './policy';
import type { Author } from './policy-changes';
import { newPolicyInput, policyChangesInput } from './policy.resource';
import { issuerOf } from './policy.message';
import type { PolicyService, PolicyWithKey } from './policy.service';

interface Dependencies {
  readonly policies: PolicyService;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
  readonly now: Clock;
}

type Caller = SubgraphContext['caller'];

/** GraphQL name → REST name, where they differ. */
const restNames: Readonly<Record<string, string>> = {
  jwtAlg: 'jwt_alg',
  jwtAudience: 'jwt_audience',
  jwtClaimExpiresIn: 'jwt_claim_expires_in',
  keyRotationDays: 'key_rotation_days',
};

const presentWithKey = ({ policy, issued }: PolicyWithKey) => ({ webhookPolicy: policy, ...issued });

/** Root fields and types of webhook policies. */
export function createPolicyResolvers({ policies, addresses, nodeIdDomain, now }: Dependencies) {
  const authorOf = ({ personId: id, name }: Caller): Author => ({ id, name });
  const node = nodeResolvers({ type: 'WebhookPolicy', nodeIdDomain, restNames });
  const { idOf, mutation } = node;
  const load = (text: string, { accountId }: Caller): Promise<Policy | null> =>
    node.load(text, (id) => policies.find(accountId, id));
  const read = readingBy('webhook-policy:Read');
  const { list, one } = rootFields('webhook-policy:Read', {
    listing: (accountId) => policies.listing(accountId),
    load,
    conditionsOf: (args) => toConditions(withProperties(args)),
  });
  const find = (accountId: string, id: number) => policies.audit(accountId, id);
  const { auditLines, line } = auditFields('WebhookPolicyAuditLine', { read, find, addresses, nodeIdDomain });

  return {
    Query: { webhookPolicies: list, webhookPolicy: one },
    Mutation: {
      webhookPolicyCreate: mutation('webhook-policy:Create', async (input, caller) =>
        presentWithKey(
          await policies.create(caller.accountId, parse(newPolicyInput, toRestNames(input)), authorOf(caller)),
        ),
      ),
      webhookPolicyUpdate: mutation<IdInput>('webhook-policy:Update', async ({ id, ...input }, caller) => {
        const changes = parse(policyChangesInput, toRestNames(input));
        return { webhookPolicy: await policies.update(caller.accountId, idOf(id), changes, authorOf(caller)) };
      }),
      webhookPolicyDelete: mutation<IdInput>('webhook-policy:Delete', async ({ id }, caller) => ({
        webhookPolicy: await policies.remove(caller.accountId, idOf(id)),
      })),
      webhookPolicyRotate: mutation<IdInput>('webhook-policy:Update', async ({ id }, caller) =>
        presentWithKey(await policies.rotate(caller.accountId, idOf(id), authorOf(caller))),
      ),
    },
    Webhook: {
      webhookPolicy: read.field(({ accountId, webhookPolicyId: id }: Webhook) =>
        id === null ? null : orNull(() => policies.find(accountId, id)),
      ),
    },
    WebhookPolicy: {
      __resolveReference: read.reference(({ id }, { caller }) => load(id, caller)),
      ...numberedIds(nodeIdDomain, 'WebhookPolicy'),
      jwtAlg: ({ algorithm }: Policy) => algorithm,
      jwtAudience: ({ audience }: Policy) => audience,
      jwtClaimExpiresIn: ({ expiresInMinutes }: Policy) => expiresInMinutes,
      keyRotationDays: ({ rotationDays }: Policy) => rotationDays,
      account: ({ accountId }: Policy) => ({ id: toNodeId(nodeIdDomain, 'Account', accountId) }),
      publicKeyPem: ({ keys }: Policy) => pemOf(signingKey(keys, now())),
      issuer: (policy: Policy) => (isShared(policy.algorithm) ? null : issuerOf(policy, addresses)),
      accountIssuer: ({ accountId }: Policy) => addresses.accountUrl(accountId),
      auditLines,
      keys: ({ keys }: Policy) => keys.map((key) => ({ ...key, publishedUntil: publishedUntil(keys, key) })),
    },
    WebhookPolicyAuditLine: line,
  };
}

const pemOf = (key: PolicyKey | undefined): string | null =>
  key?.publicJwk
    ? createPublicKey({ key: key.publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
    : null;

/** Filters are named as the fields of the API. */
function withProperties({ filter }: ListArguments): ListArguments {
  const { jwtAlg, ...others } = filter ?? {};
  return { filter: jwtAlg === undefined ? others : { ...others, algorithm: jwtAlg } };
}

/** A GraphQL input with REST names. A null that means "not given" is left out. */
const toRestNames = (input: object): object =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => value !== null || !['name', 'jwtAlg', 'disabled'].includes(name))
      .map(([name, value]) => [restNames[name] ?? name, value as unknown]),
  );
