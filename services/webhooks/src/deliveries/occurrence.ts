import { randomUUID } from 'node:crypto';
import type { RecordEventName } from '@itsm/shared/contracts/events';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKindName, RecordKinds } from '@itsm/shared/contracts/record-kinds';
import type { Person, RecordChanged, RecordPayload } from '@itsm/shared/contracts/records';
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
  const [name, action] = event.split('.') as [RecordKindName, string];
  const { graphqlName, plural, service, statuses, assignable, events } = kinds[name];
  // Any write of such a record may add a note, and then all its events have it.
  const hasNotes = events.includes('note-added');
  const isAudited = service === 'graph' && action !== 'note-added';
  const reference = (of: string, named: string) => ({
    id: sampleId,
    nodeID: nodeIdOf(of, sampleId),
    name: named,
    sourceID: 'sample',
    account,
  });
  const payload: RecordPayload = {
    ...(isAudited && { audit_line_id: sampleId, audit_line_nodeID: nodeIdOf('AuditLine', sampleId) }),
    ...(hasNotes && { note_id: sampleId, note_nodeID: nodeIdOf('Note', sampleId) }),
    source: 'sample',
    sourceID: 'sample',
    ...(statuses && { status: statuses[0] }),
    ...(statuses && action === 'status-changed' && { previous_status: statuses[1] }),
    ...(assignable && { team: reference('Team', 'Sample team'), member: reference('Person', 'Sample member') }),
  };
  const record = `/${plural}/${sampleId}`;
  return {
    eventId: `test:${randomUUID()}`,
    event,
    object: { id: sampleId, nodeID: nodeIdOf(graphqlName, sampleId) },
    person,
    payload,
    links: {
      canonical: record,
      resource: `/v1${record}`,
      ...(action === 'note-added' && { related: `/v1${record}/notes/${sampleId}` }),
    },
    test: true,
  };
}
