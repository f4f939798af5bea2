import { sourcedFields, sourcedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Addresses } from './addresses';
import { wouldBeDisabledAt } from './disable-rule';
import { stateOf } from './webhook';
import type { Webhook } from './webhook';
import { maskUri } from './webhook-uri';

/** What a webhook's presentation needs besides: addresses, and the names of the account's policies. */
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

/** How a webhook looks in REST; the password in its address is masked. */
export const webhookResource: Resource<Webhook, WebhookView> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', name: 'name', event: 'event', created_at: 'createdAt', updated_at: 'updatedAt' },
  filterable: {
    id: { property: 'id', type: 'integer' },
    name: { property: 'name', type: 'string' },
    event: { property: 'event', type: 'string' },
    disabled: { property: 'disabled', type: 'boolean' },
    // Stored, though the domain derives it.
    state: { property: 'state' as keyof Webhook, type: 'string' },
    webhook_policy_id: { property: 'webhookPolicyId', type: 'integer' },
    openid_connect_discovery: { property: 'openidConnectDiscovery', type: 'boolean' },
    ...sourcedFilters,
  },
};
