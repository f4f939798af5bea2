import { AppError, notFound } from '@itsm/shared/errors/app-error';
import type { ConnectionArgs } from '@itsm/shared/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/graphql/context';
import { toConditions, toOrder } from '@itsm/shared/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/graphql/list-arguments';
import { toPayload } from '@itsm/shared/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/graphql/mutation-payload';
import { allowed } from '@itsm/shared/graphql/resolver';
import { parse } from '@itsm/shared/http/parse';
import { checkAllowed } from '@itsm/shared/identity/allow';
import type { Caller } from '@itsm/shared/identity/caller';
import type { Action } from '@itsm/shared/identity/scopes';
import { parseRecordId } from '@itsm/shared/ids/node-id';
import { createArraySource } from '@itsm/shared/rest/array-source';
import { loadSortedConnection } from '@itsm/shared/rest/sorted-connection';
import { wouldBeDisabledAt } from '../attempts/disable-rule';
import type { AuditChange, AuditLine } from '../audits/audit-line';
import { auditNodeId, auditNodes, parseAuditNodeId } from '../audits/audit-node';
import type { AuditNode } from '../audits/audit-node';
import type { Addresses } from '../deliveries/addresses';
import type { Explainer } from '../explanations/explanation.service';
import type { PageLinks } from '../pages/page-link';
import type { PolicyService } from '../policies/policy.service';
import type { SkippedService } from '../skipped/skipped.service';
import type { VerificationService } from '../verifications/verification.service';
import { stateOf } from './webhook';
import type { Webhook } from './webhook';
import { toRestForm, webhookEventScalar, withGraphqlNames } from './webhook-graphql-input';
import type { webhookInputs } from './webhook-input';
import { callingPerson } from './webhook-request';
import { maskUri } from './webhook-uri';
import type { WebhookService } from './webhook.service';

export interface WebhookResolverDependencies {
  readonly webhooks: WebhookService;
  readonly verifications: VerificationService;
  readonly links: PageLinks;
  readonly policies: Pick<PolicyService, 'find'>;
  readonly skipped: SkippedService;
  readonly explain: Explainer;
  readonly inputs: ReturnType<typeof webhookInputs>;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

interface Period {
  readonly from?: Date | null;
  readonly until?: Date | null;
}

type Input = MutationInput & Readonly<Record<string, unknown>>;
type IdInput = MutationInput & { readonly id: string };
type PeriodInput = IdInput & Period;

const administrator = 'account_administrator';

/** Root fields and the type of webhooks. */
export function createWebhookResolvers(dependencies: WebhookResolverDependencies) {
  const { webhooks, policies, verifications, links, skipped, explain, inputs, addresses, nodeIdDomain } = dependencies;

  const idOf = (text: string): number => {
    const id = parseRecordId(nodeIdDomain, 'Webhook', text);
    if (id === undefined) throw notFound();
    return id;
  };
  const load = async (id: string, { accountId }: Caller): Promise<Webhook | null> =>
    orNull(async () => webhooks.find(accountId, idOf(id)));
  /** A mutation answers with the webhook; what happened to it is for those who may read. */
  const mayRead = (caller: Caller): string => {
    checkAllowed(caller, 'webhook:Read', [administrator]);
    return caller.accountId;
  };
  const personOf = (caller: Caller) => callingPerson(caller, addresses);
  const mutation = <Input extends MutationInput>(
    action: Action,
    change: (input: Omit<Input, 'clientMutationId'>, caller: Caller) => Promise<object>,
  ) =>
    allowed<MutationArgs<Input>>(
      action,
      (_parent, { input }, { caller }) =>
        toPayload(input, (members) => withGraphqlNames(() => change(members, caller))),
      administrator,
    );
  const period = ({ from, until }: Period) => ({ ...(from && { from }), ...(until && { until }) });

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
      webhookTest: mutation<IdInput>('webhook:Update', async ({ id }, caller) => {
        await webhooks.sendTest(caller.accountId, idOf(id), personOf(caller));
        return { webhook: await webhooks.find(caller.accountId, idOf(id)) };
      }),
      webhookVerify: mutation<IdInput>('webhook:Update', async ({ id }, caller) => {
        await verifications.resend(caller.accountId, idOf(id), personOf(caller));
        return { webhook: await webhooks.find(caller.accountId, idOf(id)) };
      }),
      webhookPage: mutation<IdInput>('webhook:Update', async ({ id }, caller) => {
        const webhook = await webhooks.find(caller.accountId, idOf(id));
        return { webhook, ...links.create(caller.accountId, webhook.id, personOf(caller)) };
      }),
      webhookRedeliverSkipped: mutation<PeriodInput>('webhook:Update', async ({ id, ...ends }, { accountId }) => ({
        skipped: await skipped.redeliver(accountId, idOf(id), { preview: false, ...period(ends) }),
        webhook: await webhooks.find(accountId, idOf(id)),
      })),
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
      webhookPolicy({ accountId, webhookPolicyId: id }: Webhook, _args: object, { caller }: SubgraphContext) {
        checkAllowed(caller, 'webhook-policy:Read', [administrator]);
        return id === null ? null : orNull(() => policies.find(accountId, id));
      },
      warningPercent: ({ streak }: Webhook) => streak.warned || null,
      async auditLines({ id }: Webhook, args: ConnectionArgs, { caller }: SubgraphContext) {
        const source = createArraySource(auditNodes(id, await webhooks.audit(mayRead(caller), id)));
        return loadSortedConnection(args, { source, order: toOrder({}), filter: [], fields: ['*'] });
      },
      explain: async ({ id }: Webhook, { eventId }: { readonly eventId: string }, { caller }: SubgraphContext) =>
        explain(mayRead(caller), id, eventId.slice(0, longestEventId)),
      skipped: async ({ id }: Webhook, ends: Period, { caller }: SubgraphContext) =>
        skipped.redeliver(mayRead(caller), id, { preview: true, ...period(ends) }),
    },
    WebhookSkipped: {
      firstSkippedAt: ({ first }: { readonly first: Date | null }) => first,
      lastSkippedAt: ({ last }: { readonly last: Date | null }) => last,
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

const longestEventId = 200;

const toText = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);

async function orNull<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
