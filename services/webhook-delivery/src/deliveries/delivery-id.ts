import { parseNodeId } from '@itsm/shared/ids/node-id';

/** The UUID of a delivery as it is, or out of its node id; undefined for anything else. */
export function parseDeliveryId(nodeIdDomain: string, text: string): string | undefined {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return text;
  const ref = parseNodeId(nodeIdDomain, text);
  return ref?.type === 'WebhookDelivery' ? ref.id : undefined;
}
