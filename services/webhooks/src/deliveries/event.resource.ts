import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { SeenEvent } from './event-log.repository';

/** The webhook that events are looked at for. */
export interface EventView {
  readonly webhookId: number;
}

const fields: Resource<SeenEvent, EventView>['fields'] = {
  id: ({ id }) => id,
  event: ({ event }) => event,
  object_id: ({ objectId }) => objectId,
  occurred_at: ({ occurredAt }) => presentTime(occurredAt),
  matched_at: ({ matchedAt }) => presentTime(matchedAt),
  state_then: ({ subscribers }, { webhookId }) => subscribers.find((one) => one.webhookId === webhookId)?.state ?? null,
};

/** How an event that the account sees looks in REST; its id is what an explanation is asked with. */
export const eventResource: Resource<SeenEvent, EventView> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', matched_at: 'matchedAt', occurred_at: 'occurredAt' },
  filterable: {
    event: { property: 'event', type: 'string' },
    object_id: { property: 'objectId', type: 'integer' },
    matched_at: { property: 'matchedAt', type: 'time' },
  },
};
