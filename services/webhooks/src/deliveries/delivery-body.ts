import type { Account } from '../directory/directory.repository';
import type { Webhook } from '../webhooks/webhook';
import type { Addresses } from '../webhooks/addresses';
import type { Occurrence } from './occurrence';

/**
 * The JSON text that is posted (spec: Webhook delivery body), members in the order of its table.
 * The person members of a system event are null.
 */
export function deliveryBody(
  webhook: Webhook,
  { event, object, person, payload }: Occurrence,
  account: Pick<Account, 'customUrl'> | undefined,
  addresses: Addresses,
): string {
  return JSON.stringify({
    webhook_id: webhook.id,
    webhook_nodeID: addresses.nodeIdOf('Webhook', webhook.id),
    account_id: webhook.accountId,
    account: addresses.accountUrl(webhook.accountId),
    ...(account?.customUrl && { custom_url: account.customUrl }),
    name: webhook.name,
    event,
    object_id: object.id,
    object_nodeID: object.nodeID,
    ...(webhook.openidConnectDiscovery && { openid_connect_discovery: true }),
    person_id: person?.id ?? null,
    person_nodeID: person?.nodeID ?? null,
    person_name: person?.name ?? null,
    payload,
  });
}
