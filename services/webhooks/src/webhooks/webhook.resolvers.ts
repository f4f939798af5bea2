import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { allowedReference } from '@itsm/shared/api/graphql/resolver';
import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import { isRecordEvent } from '@itsm/shared/contracts/events';
import { declaredMutations, declaredReads } from '@itsm/shared/declared/declared.resolvers';
import { derivedResolvers } from '@itsm/shared/declared/declared.resource';
import type { Edits } from '@itsm/shared/declared/edits';
import type { AuditChange } from './audit-line';
import { auditFields } from './audit-line.resolvers';
import type { Addresses } from './addresses';
import type { Webhook } from './webhook';
import { webhookDerivations } from './webhook.resource';
import type { webhookType } from './webhook-type';
import { oneOfEvents } from './webhook.sdl';
import type { WebhookService } from './webhook.service';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly type: typeof webhookType;
  readonly edits: Edits<typeof webhookType, Webhook>;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

/** Root fields and the type of webhooks. */
export function createWebhookResolvers({ webhooks, type, edits, addresses, nodeIdDomain }: Dependencies) {
  const { query, object } = declaredReads(type, edits, nodeIdDomain);
  const { load } = nodeResolvers({ type: 'Webhook', nodeIdDomain, restNames: {} });
  const { auditLines, line } = auditFields('webhook:Read', 'WebhookAuditLine', {
    find: (accountId, id) => webhooks.audit(accountId, id),
    addresses,
    nodeIdDomain,
  });

  return {
    Query: query,
    Mutation: declaredMutations(type, edits, nodeIdDomain),
    Webhook: {
      ...object,
      __resolveReference: allowedReference(
        'webhook:Read',
        ({ id }, { caller: { accountId } }) => load(id, (webhookId) => webhooks.findEvenDeleted(accountId, webhookId)),
        'account_administrator',
      ),
      ...derivedResolvers(webhookDerivations, undefined),
      auditLines,
    },
    WebhookDeletePayload: {
      deletedId: ({ webhook }: { readonly webhook?: Webhook }) => webhook && addresses.nodeIdOf('Webhook', webhook.id),
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
