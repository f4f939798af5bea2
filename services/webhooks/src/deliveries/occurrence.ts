import type { RecordChanged } from '@itsm/shared/contracts/records';

/** Something a webhook is called for. */
export interface Occurrence {
  readonly eventId: string;
  readonly event: string;
  /** The record; `id` and `nodeID` go into the body. */
  readonly object: RecordChanged['object'];
  /** Who caused it; null for a system event. */
  readonly person: RecordChanged['person'];
  readonly payload: object;
  readonly links: RecordChanged['links'];
  readonly test: boolean;
}

/** Asks a receiver to prove that it wants the calls. */
export const verifyEvent = 'webhook.verify';

export const occurrenceOf = ({ eventId, event, object, person, payload, links }: RecordChanged): Occurrence => ({
  eventId,
  event,
  object,
  person,
  payload,
  links,
  test: false,
});
