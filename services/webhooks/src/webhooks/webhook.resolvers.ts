import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { isRecordEvent } from '@itsm/shared/contracts/events';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { toConditions, toOrder } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import type { MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { parse } from '@itsm/shared/api/http/parse';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import { stateOf, wouldBeDisabledAt } from './webhook';
import type { AuditChange, AuditLine, AuditNode } from './audit-line';
import { auditNodeId, auditNodes, parseAuditNodeId } from './audit-line';
import type { Addresses } from './addresses';
import type { Webhook } from './webhook';
import { neverNull, restNames } from './webhook.resource';
import type { webhookInputs } from './webhook.resource';
import { oneOfEvents } from './webhook.sdl';
import { maskUri } from './webhook-uri';
import { administrator, webhookTools } from './webhook-tools';
import { orNull } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import type { WebhookService } from './webhook.service';

export interface WebhookResolverDependencies {
  readonly webhooks: WebhookService;
  readonly inputs: ReturnType<typeof webhookInputs>;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

type Input = MutationInput & Readonly<Record<string, unknown>>;

/** Root fields and the type of webhooks. */
export function createWebhookResolvers(dependencies: WebhookResolverDependencies) {
  const { webhooks, inputs, addresses, nodeIdDomain } = dependencies;

  const { idOf, load: loadNode, mayRead, mutation, personOf } = webhookTools({ addresses, nodeIdDomain });
  const load = (text: string, { accountId }: Caller): Promise<Webhook | null> =>
    loadNode(text, (id) => webhooks.find(accountId, id));

  return {
    Query: {
      webhooks: allowed<ConnectionArgs & ListArguments>(
        'webhook:Read',
        (_parent, args, { caller }) =>
          loadSortedConnection(args, {
            source: webhooks.listing(caller.accountId),
            order: toOrder(args),
            filter: toConditions(args),
            fields: ['*'],
          }),
        administrator,
      ),
      webhook: allowed<{ readonly id: string }>(
        'webhook:Read',
        (_parent, { id }, { caller }) => load(id, caller),
        administrator,
      ),
    },
    Mutation: {
      webhookCreate: mutation<Input>('webhook:Create', async (input, caller) => {
        const given = parse(inputs.newWebhook, toRestForm(input, nodeIdDomain));
        return { webhook: await webhooks.register(caller.accountId, given, personOf(caller)) };
      }),
      webhookUpdate: mutation<IdInput>('webhook:Update', async ({ id, ...input }, caller) => {
        const changes = parse(inputs.webhookChanges, toRestForm(input, nodeIdDomain));
        return { webhook: await webhooks.update(caller.accountId, idOf(id), changes, personOf(caller)) };
      }),
      webhookDelete: mutation<IdInput>('webhook:Delete', async ({ id }, { accountId }) => {
        const webhookId = idOf(id);
        const webhook = await webhooks.find(accountId, webhookId);
        await webhooks.remove(accountId, webhookId);
        return { webhook, deletedId: addresses.nodeIdOf('Webhook', webhookId) };
      }),
    },
    Webhook: {
      async __resolveReference({ id }: { readonly id: string }, { caller }: SubgraphContext) {
        mayRead(caller);
        return load(id, caller);
      },
      id: ({ id }: Webhook) => addresses.nodeIdOf('Webhook', id),
      uri: ({ uri }: Webhook) => maskUri(uri),
      state: stateOf,
      consecutiveFailures: ({ streak }: Webhook) => streak.count,
      failingSince: ({ streak }: Webhook) => streak.startedAt,
      wouldBeDisabledAt,
      warningPercent: ({ streak }: Webhook) => streak.warned || null,
      async auditLines({ id }: Webhook, args: ConnectionArgs, { caller }: SubgraphContext) {
        const source = createArraySource(auditNodes(id, await webhooks.audit(mayRead(caller), id)));
        return loadSortedConnection(args, { source, order: toOrder({}), filter: [], fields: ['*'] });
      },
    },
    WebhookAuditLine: {
      // Async: a throw here would void the answers for all the other references of the call.
      async __resolveReference({ id: text }: { readonly id: string }, { caller }: SubgraphContext) {
        const accountId = mayRead(caller);
        const ref = parseAuditNodeId(nodeIdDomain, 'WebhookAuditLine', text);
        const lines = ref && (await orNull(() => webhooks.audit(accountId, ref.of)));
        return lines ? auditNodes(ref.of, lines).find(({ id }) => id === ref.id) : null;
      },
      id: (line: AuditNode) => auditNodeId('WebhookAuditLine', line, addresses),
      personID: ({ person }: AuditLine) => person && addresses.nodeIdOf('Person', person.id),
      personName: ({ person }: AuditLine) => person?.name ?? null,
    },
    WebhookAuditChange: {
      from: ({ from }: AuditChange) => toText(from),
      to: ({ to }: AuditChange) => toText(to),
    },
    WebhookEvent: webhookEventScalar,
  };
}

const toText = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);

type Members = Readonly<Record<string, unknown>>;

/** Members of a GraphQL input under the names and in the form that REST gives them; a policy that cannot exist has the id 0. */
function toRestForm(input: Members, nodeIdDomain: string): Members {
  const given = Object.entries(input).filter(([name, value]) => value !== null || !neverNull.includes(name));
  return Object.fromEntries(
    given.map(([name, value]) => [
      restNames[name] ?? name,
      name === 'webhookPolicyId' && typeof value === 'string'
        ? (parseRecordId(nodeIdDomain, 'WebhookPolicy', value) ?? 0)
        : value,
    ]),
  );
}

function parseEvent(value: unknown): string {
  if (typeof value === 'string' && isRecordEvent(value)) return value;
  throw new GraphQLError(`A WebhookEvent is ${oneOfEvents.toLowerCase()}`);
}

const webhookEventScalar = new GraphQLScalarType({
  name: 'WebhookEvent',
  description: oneOfEvents,
  parseValue: parseEvent,
  parseLiteral: (node) => parseEvent(node.kind === Kind.STRING ? node.value : undefined),
});
