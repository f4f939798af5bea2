import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { toConditions } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import type { Condition } from '@itsm/shared/api/rest/filter';
import type { SortValue } from '@itsm/shared/api/rest/resource';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { isRecordEvent } from '@itsm/shared/contracts/events';
import type { MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { parse } from '@itsm/shared/api/http/parse';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { stateOf, wouldBeDisabledAt } from './webhook';
import type { AuditChange } from './audit-line';
import type { Addresses } from './addresses';
import type { Webhook } from './webhook';
import { neverNull, restNames } from './webhook.resource';
import type { WebhookInputs } from './webhook.resource';
import { oneOfEvents } from './webhook.sdl';
import { maskUri } from './webhook-uri';
import { auditFields, rootFields, webhookTools } from './webhook-tools';
import { numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import type { WebhookService } from './webhook.service';

export interface WebhookResolverDependencies {
  readonly webhooks: WebhookService;
  readonly inputs: WebhookInputs;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

type Input = MutationInput & Readonly<Record<string, unknown>>;

/** Root fields and the type of webhooks. */
export function createWebhookResolvers(dependencies: WebhookResolverDependencies) {
  const { webhooks, inputs, addresses, nodeIdDomain } = dependencies;

  const { idOf, load: loadNode, read, mutation, personOf } = webhookTools({ addresses, nodeIdDomain });
  const load = (text: string, { accountId }: Caller): Promise<Webhook | null> =>
    loadNode(text, (id) => webhooks.find(accountId, id));
  const listing = (accountId: string) => webhooks.listing(accountId);
  const policyIdOf = (text: SortValue) =>
    text === null ? null : (parseRecordId(nodeIdDomain, 'WebhookPolicy', String(text)) ?? 0);
  /** Converts node ids of policies in a filter to the stored numbers. */
  function asStored(condition: Condition): Condition {
    if (condition.property !== 'webhookPolicy') return condition;
    const property = 'webhookPolicyId';
    if ('in' in condition) return { property, in: condition.in.map(policyIdOf) };
    return 'notIn' in condition ? { property, notIn: condition.notIn.map(policyIdOf) } : condition;
  }
  const conditionsOf = (args: ListArguments) => toConditions(args).map(asStored);
  const { list, one } = rootFields('webhook:Read', { listing, load, conditionsOf });
  const find = (accountId: string, id: number) => webhooks.audit(accountId, id);
  const { auditLines, line } = auditFields('WebhookAuditLine', { read, find, addresses, nodeIdDomain });

  return {
    Query: { webhooks: list, webhook: one },
    Mutation: {
      webhookCreate: mutation<Input>('webhook:Create', async (input, caller) => {
        const given = parse(inputs.newWebhook, toRestForm(input, nodeIdDomain));
        return { webhook: await webhooks.register(caller.accountId, given, personOf(caller)) };
      }),
      webhookUpdate: mutation<IdInput>('webhook:Update', async ({ id, ...input }, caller) => {
        const changes = parse(inputs.webhookChanges, toRestForm(input, nodeIdDomain));
        return { webhook: await webhooks.update(caller.accountId, idOf(id), changes, { person: personOf(caller) }) };
      }),
      webhookDelete: mutation<IdInput>('webhook:Delete', async ({ id }, { accountId }) => {
        const webhookId = idOf(id);
        const webhook = await webhooks.find(accountId, webhookId);
        await webhooks.remove(accountId, webhookId);
        return { webhook, deletedId: addresses.nodeIdOf('Webhook', webhookId) };
      }),
    },
    Webhook: {
      __resolveReference: read.reference(({ id }, { caller: { accountId } }) =>
        loadNode(id, (webhookId) => webhooks.findEvenDeleted(accountId, webhookId)),
      ),
      ...numberedIds(nodeIdDomain, 'Webhook'),
      uri: ({ uri }: Webhook) => maskUri(uri),
      state: stateOf,
      consecutiveFailures: ({ streak }: Webhook) => streak.count,
      failingSince: ({ streak }: Webhook) => streak.startedAt,
      wouldBeDisabledAt,
      warningPercent: ({ streak }: Webhook) => streak.warned || null,
      auditLines: read.field((webhook: Webhook, args: ConnectionArgs, context, info) =>
        webhook.deletedAt ? null : auditLines(webhook, args, context, info),
      ),
    },
    WebhookAuditLine: line,
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

/** A GraphQL input in REST form. A node id that cannot be a policy becomes 0, the id of none, and is refused as unknown. */
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
