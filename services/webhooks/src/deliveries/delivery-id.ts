import { derivedUuid } from '@itsm/shared/base/ids/derived-uuid';

/** The same event and webhook give the same id, so that a repeat is the same delivery. */
export const deliveryIdOf = (eventId: string, webhookId: number): string => derivedUuid(eventId, webhookId);
