import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { signingAlgorithms } from '@itsm/shared/contracts/webhook-policies';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { toConditions, toOrder } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import { nodeResolvers, orNull } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { parse } from '@itsm/shared/api/http/parse';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import type { AuditLine, AuditNode } from '../webhooks/audit-line';
import { auditNodeId, auditNodes, parseAuditNodeId } from '../webhooks/audit-line';
import type { Addresses } from '../webhooks/addresses';
import type { Webhook } from '../webhooks/webhook';
import { publishedUntil } from './key-schedule';
import { isShared } from './policy';
import type { Policy } from './policy';
import type { Author } from './policy-changes';
import { newPolicyInput, policyChangesInput } from './policy.resource';
import { issuerOf } from './policy.message';
import type { PolicyService, PolicyWithKey } from './policy.service';
import { oneOfAlgorithms } from './policy.sdl';

interface Dependencies {
  readonly policies: PolicyService;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

type Caller = SubgraphContext['caller'];

const administrator = 'account_administrator';

/** Where the names in GraphQL and in REST differ. */
const restNames: Readonly<Record<string, string>> = {
  jwtAlg: 'jwt_alg',
  jwtAudience: 'jwt_audience',
  jwtClaimExpiresIn: 'jwt_claim_expires_in',
  keyRotationDays: 'key_rotation_days',
};

const presentWithKey = ({ policy, issued }: PolicyWithKey) => ({ webhookPolicy: policy, ...issued });

/** Root fields and types of webhook policies. */
export function createPolicyResolvers({ policies, addresses, nodeIdDomain }: Dependencies) {
  const authorOf = ({ personId: id, name }: Caller): Author => ({ id, name });
  const node = nodeResolvers({ type: 'WebhookPolicy', nodeIdDomain, restNames });
  const { idOf, mutation } = node;
  const load = (text: string, { accountId }: Caller): Promise<Policy | null> =>
    node.load(text, (id) => policies.find(accountId, id));

  return {
    Query: {
      webhookPolicies: allowed<ConnectionArgs & ListArguments>(
        'webhook-policy:Read',
        (_parent, args, { caller }) =>
          loadSortedConnection(args, {
            source: policies.listing(caller.accountId),
            order: toOrder(args),
            filter: toConditions(withProperties(args)),
            fields: ['*'],
          }),
        administrator,
      ),
      webhookPolicy: allowed<{ readonly id: string }>(
        'webhook-policy:Read',
        (_parent, { id }, { caller }) => load(id, caller),
        administrator,
      ),
    },
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
      webhookPolicy({ accountId, webhookPolicyId: id }: Webhook, _args: object, { caller }: SubgraphContext) {
        checkAllowed(caller, 'webhook-policy:Read', [administrator]);
        return id === null ? null : orNull(() => policies.find(accountId, id));
      },
    },
    WebhookPolicy: {
      async __resolveReference({ id }: { readonly id: string }, { caller }: SubgraphContext) {
        checkAllowed(caller, 'webhook-policy:Read', [administrator]);
        return load(id, caller);
      },
      id: ({ id }: Policy) => addresses.nodeIdOf('WebhookPolicy', id),
      jwtAlg: ({ algorithm }: Policy) => algorithm,
      jwtAudience: ({ audience }: Policy) => audience,
      jwtClaimExpiresIn: ({ expiresInMinutes }: Policy) => expiresInMinutes,
      keyRotationDays: ({ rotationDays }: Policy) => rotationDays,
      issuer: (policy: Policy) => (isShared(policy.algorithm) ? null : issuerOf(policy, addresses)),
      async auditLines({ id }: Policy, args: ConnectionArgs, { caller }: SubgraphContext) {
        // A mutation answers with the policy; its audit is for those who may read.
        checkAllowed(caller, 'webhook-policy:Read', [administrator]);
        const source = createArraySource(auditNodes(id, await policies.audit(caller.accountId, id)));
        return loadSortedConnection(args, { source, order: toOrder({}), filter: [], fields: ['*'] });
      },
      keys: ({ keys }: Policy) => keys.map((key) => ({ ...key, publishedUntil: publishedUntil(keys, key) })),
    },
    WebhookPolicyAuditLine: {
      async __resolveReference({ id: text }: { readonly id: string }, { caller }: SubgraphContext) {
        checkAllowed(caller, 'webhook-policy:Read', [administrator]);
        const ref = parseAuditNodeId(nodeIdDomain, 'WebhookPolicyAuditLine', text);
        const lines = ref && (await orNull(() => policies.audit(caller.accountId, ref.of)));
        return lines ? auditNodes(ref.of, lines).find(({ id }) => id === ref.id) : null;
      },
      id: (line: AuditNode) => auditNodeId('WebhookPolicyAuditLine', line, addresses),
      personID: ({ person }: AuditLine) => person && addresses.nodeIdOf('Person', person.id),
      personName: ({ person }: AuditLine) => person?.name ?? null,
    },
    WebhookPolicyJwtAlg: new GraphQLScalarType({
      name: 'WebhookPolicyJwtAlg',
      description: oneOfAlgorithms,
      parseValue: parseAlgorithm,
      parseLiteral: (node) => parseAlgorithm(node.kind === Kind.STRING ? node.value : undefined),
    }),
  };
}

/** Filters are named as the fields of the API. */
function withProperties({ filter }: ListArguments): ListArguments {
  const { jwtAlg, ...others } = filter ?? {};
  return { filter: jwtAlg === undefined ? others : { ...others, algorithm: jwtAlg } };
}

function parseAlgorithm(value: unknown): string {
  if (signingAlgorithms.some((algorithm) => algorithm === value)) return value as string;
  throw new GraphQLError(`A WebhookPolicyJwtAlg is ${oneOfAlgorithms.toLowerCase()}`);
}

/** Members of a GraphQL input under the names that REST gives them; null where it means "not given". */
const toRestNames = (input: object): object =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => value !== null || !['name', 'jwtAlg', 'disabled'].includes(name))
      .map(([name, value]) => [restNames[name] ?? name, value as unknown]),
  );
