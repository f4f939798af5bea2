import { randomUUID } from 'node:crypto';
import type { RecordEventName } from '@itsm/shared/contracts/events';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordAction, RecordKindName, RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { samplePayload } from '@itsm/shared/contracts/event-body';
import type { Person, RecordChanged } from '@itsm/shared/contracts/records';
import type { Addresses } from '../webhooks/addresses';

/** What a webhook is called for: a record event, a test or a verification. */
export interface Occurrence {
  readonly eventId: string;
  readonly event: string;
  /** The record of the event; `id` and `nodeID` go into the body. */
  readonly object: RecordChanged['object'];
  /** Who caused it; null for a system event. */
  readonly person: RecordChanged['person'];
  readonly payload: object;
  readonly links: RecordChanged['links'];
  readonly test: boolean;
}

/** The event of the verification request: the receiver proves that it owns the address. */
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

/** The id of every record in a sample. */
export const sampleId = 12_345;

/** The content of a test delivery: the event for a sample record with the id 12345 and every member filled. */
export function sampleOccurrence(
  event: RecordEventName,
  person: Person | null,
  { nodeIdOf }: Addresses,
  account: { readonly id: string; readonly name: string },
  kinds: RecordKinds = recordKinds,
): Occurrence {
  const [name, action] = event.split('.') as [RecordKindName, RecordAction];
  const kind = kinds[name];
  const { graphqlName, plural } = kind;
  const record = `/${plural}/${sampleId}`;
  return {
    eventId: `test:${randomUUID()}`,
    event,
    object: { id: sampleId, nodeID: nodeIdOf(graphqlName, sampleId) },
    person,
    payload: samplePayload(action, { kind, id: sampleId, nodeIdOf, account }),
    links: {
      canonical: record,
      resource: `/v1${record}`,
      ...(action === 'note-added' && { related: `/v1${record}/notes/${sampleId}` }),
    },
    test: true,
  };
}
