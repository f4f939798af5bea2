import { createHash } from 'node:crypto';

/** The same event and webhook give the same UUID (version 8, RFC 9562 §5.8), so that a repeat is the same delivery. */
export function deliveryIdOf(eventId: string, webhookId: number): string {
  const bytes = createHash('sha256').update(`${eventId}|${webhookId}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
