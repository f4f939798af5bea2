import { parseNodeId, parseRecordId } from '@itsm/shared/base/ids/node-id';

/** The UUID of a delivery as it is, or out of its node id; undefined for anything else. */
export function parseDeliveryId(nodeIdDomain: string, text: string): string | undefined {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return text;
  const ref = parseNodeId(nodeIdDomain, text);
  return ref?.type === 'WebhookDelivery' ? ref.id : undefined;
}

/** The same, and for anything else an id that no delivery has. */
export const deliveryIdOf = (nodeIdDomain: string, text: string): string => parseDeliveryId(nodeIdDomain, text) ?? '';

/** The number of a webhook, out of its id or node id; for anything else one that no webhook has. */
export const webhookIdOf = (nodeIdDomain: string, text: string | number): number =>
  parseRecordId(nodeIdDomain, 'Webhook', String(text)) ?? 0;
