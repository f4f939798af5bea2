import { z } from 'zod';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { idFields } from '@itsm/shared/api/graphql/schema';
import { namedFilters, sourcedFields, sourcedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Addresses } from './addresses';
import { stateOf, wouldBeDisabledAt } from './webhook';
import type { Webhook } from './webhook';
import { eventNameOf, filledText, recipients, text } from './webhook.input';
import { isReceiverUri, maskUri } from './webhook-uri';

// The lists of webhook members that the API accepts and returns. A new member goes into each list, and into
// `webhook.ts` and `webhook.document.ts`.

/** REST name → name in the domain and in GraphQL, where they differ. */
const propertyNames = {
  mail_exceptions_to: 'mailExceptionsTo',
  webhook_policy_id: 'webhookPolicyId',
  openid_connect_discovery: 'openidConnectDiscovery',
} as const;

const invalidUri = 'Uri is not a valid https address';

/** The members that a caller may send; any other member is refused by name. */
const taken = z.strictObject({
  event: eventNameOf(recordKinds),
  uri: z.string(invalidUri),
  name: filledText('Name', 128).optional(),
  description: text('Description', 16_384).nullable().optional(),
  disabled: z.boolean('Disabled must be true or false').optional(),
  mail_exceptions_to: recipients.nullable().optional(),
  webhook_policy_id: z.int('Webhook policy must be its id').nullable().optional(),
  openid_connect_discovery: z.boolean('Openid connect discovery must be true or false').optional(),
  source: text('Source', 128).nullable().optional(),
  sourceID: text('Source ID', 128).nullable().optional(),
});

export type NewWebhook = Renamed<z.output<typeof taken>>;
export type WebhookChanges = Renamed<Partial<z.output<typeof taken>>>;

/** Schemas that turn REST input into a new webhook, or into changes. */
export interface WebhookInputs {
  readonly newWebhook: z.ZodPipe<z.ZodObject, z.ZodType<NewWebhook>>;
  readonly webhookChanges: z.ZodPipe<z.ZodObject, z.ZodType<WebhookChanges>>;
}

export function webhookInputs(insecure: boolean, kinds: RecordKinds = recordKinds): WebhookInputs {
  const uri = taken.shape.uri.refine((given) => isReceiverUri(given, insecure), invalidUri);
  const newWebhook = taken.extend({ uri, event: eventNameOf(kinds) });
  return {
    newWebhook: newWebhook.transform(toProperties),
    webhookChanges: newWebhook.partial().transform(toProperties),
  };
}

/** The same for GraphQL, whose null means "not given" for the members in `neverNull`. */
export const takenByGraphql = /* GraphQL */ `
  description: String
  disabled: Boolean
  "E-mail addresses, separated by commas, that get a mail about failures; null: every administrator of the account."
  mailExceptionsTo: String
  "The policy that signs the calls; null: they are not signed."
  webhookPolicyId: ID
  "Whether receivers find the key by OpenID Connect Discovery; needs a policy with a key pair."
  openidConnectDiscovery: Boolean
  source: String
  sourceID: String
`;

export const neverNull: readonly string[] = ['name', 'event', 'uri', 'disabled', 'openidConnectDiscovery'];

/** What presenting a webhook needs besides the webhook: addresses, and the names of the account's policies. */
export interface WebhookView extends Addresses {
  readonly policyNames: ReadonlyMap<number, string>;
}

const fields: Resource<Webhook, WebhookView>['fields'] = {
  id: ({ id }) => id,
  nodeID: ({ id }, { nodeIdOf }) => nodeIdOf('Webhook', id),
  name: ({ name }) => name,
  event: ({ event }) => event,
  uri: ({ uri }) => maskUri(uri),
  description: ({ description }) => description,
  disabled: ({ disabled }) => disabled,
  state: stateOf,
  disabled_reason: ({ disabledReason }) => disabledReason,
  last_error: ({ lastError }) => lastError,
  consecutive_failures: ({ streak }) => streak.count,
  failing_since: ({ streak }) => presentTime(streak.startedAt),
  would_be_disabled_at: (webhook) => presentTime(wouldBeDisabledAt(webhook)),
  warning_percent: ({ streak }) => streak.warned || null,
  mail_exceptions_to: ({ mailExceptionsTo }) => mailExceptionsTo,
  webhook_policy: ({ webhookPolicyId: id }, { policyNames }) =>
    id === null ? null : { id, name: policyNames.get(id) ?? null },
  openid_connect_discovery: ({ openidConnectDiscovery }) => openidConnectDiscovery,
  ...sourcedFields,
};

/** The REST form of a webhook; the password in its address is masked. */
export const webhookResource: Resource<Webhook, WebhookView> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', name: 'name', event: 'event', created_at: 'createdAt', updated_at: 'updatedAt' },
  filterable: {
    ...namedFilters,
    event: { property: 'event', type: 'string' },
    disabled: { property: 'disabled', type: 'boolean' },
    // Derived in the domain, but also stored, so it can be filtered.
    state: { property: 'state' as keyof Webhook, type: 'string' },
    webhook_policy_id: { property: 'webhookPolicyId', type: 'integer' },
    openid_connect_discovery: { property: 'openidConnectDiscovery', type: 'boolean' },
    ...sourcedFilters,
  },
};

/** The members of the GraphQL type; `webhook.resolvers.ts` resolves those that are converted. */
export const shownInGraphql = /* GraphQL */ `
    ${idFields}
    name: String!
    event: WebhookEvent!
    "The address that is called; a password in it is masked."
    uri: String!
    description: String
    disabled: Boolean!
    state: WebhookState!
    disabledReason: String
    lastError: String
    "Failed attempts in a row; at 20 over more than a week the webhook is disabled."
    consecutiveFailures: Int!
    failingSince: ISO8601Timestamp
    "The moment after which a failure disables the webhook, when there were 20 by then."
    wouldBeDisabledAt: ISO8601Timestamp
    "50 or 90: how much of the rule that disables is fulfilled, as administrators were warned."
    warningPercent: Int
    mailExceptionsTo: String
    openidConnectDiscovery: Boolean!
    source: String
    sourceID: String
    createdAt: ISO8601Timestamp!
    updatedAt: ISO8601Timestamp!
`;

/** The members that audit lines compare, in REST names. */
export const audited: Readonly<Record<string, (webhook: Webhook) => unknown>> = {
  name: ({ name }) => name,
  event: ({ event }) => event,
  uri: ({ uri }) => maskUri(uri),
  description: ({ description }) => description,
  disabled: ({ disabled }) => disabled,
  disabled_reason: ({ disabledReason }) => disabledReason,
  state: stateOf,
  mail_exceptions_to: ({ mailExceptionsTo }) => mailExceptionsTo,
  webhook_policy_id: ({ webhookPolicyId }) => webhookPolicyId,
  openid_connect_discovery: ({ openidConnectDiscovery }) => openidConnectDiscovery,
  source: ({ source }) => source,
  sourceID: ({ sourceID }) => sourceID,
};

/** GraphQL's name → REST's, where they differ. */
export const restNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(propertyNames).map(([rest, property]) => [property, rest]),
);

type PropertyNames = typeof propertyNames;
type Renamed<T> = { [K in keyof T as K extends keyof PropertyNames ? PropertyNames[K] : K]: Exclude<T[K], undefined> };

/** The given members, renamed from REST to the domain. */
const toProperties = <T extends object>(input: T): Renamed<T> =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [propertyNames[name as keyof PropertyNames] ?? name, value as unknown]),
  ) as Renamed<T>;
