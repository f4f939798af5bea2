import { randomUUID } from 'node:crypto';
import { recordChanged } from '@itsm/shared/contracts/records';
import { payloadFor } from '@itsm/shared/contracts/event-body';
import type { PayloadSource } from '@itsm/shared/contracts/event-body';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Editor } from './person-access';
import type { Person } from './person';

export type PersonEventName = 'person.create' | 'person.update';

interface Occurrence {
  readonly event: PersonEventName;
  readonly person: Person;
  readonly actor: Pick<Editor, 'personId' | 'name'>;
  /** The accounts that see the person. */
  readonly visibleTo: readonly string[];
}

/** The event for webhooks of those accounts (spec: Webhook delivery body). */
export function personEvent({ event, person, actor, visibleTo }: Occurrence, nodeIdDomain: string): OutboxEntry {
  const { id, accountId, updatedAt } = person;
  const nodeIdOf = (personId: number) => toNodeId(nodeIdDomain, 'Person', personId);
  const message: RecordChanged = {
    eventId: randomUUID(),
    event,
    at: updatedAt.toISOString(),
    accountId,
    visibleTo: [...visibleTo],
    object: { id, nodeID: nodeIdOf(id) },
    person: { id: actor.personId, nodeID: nodeIdOf(actor.personId), name: actor.name },
    payload: payloadFor(event === 'person.create' ? 'create' : 'update', ({ from }) => textOf(person, from)),
    links: { canonical: `/people/${id}`, resource: `/v1/people/${id}` },
  };
  return outboxEntry(recordChanged, message, message.eventId);
}

/** The text of a member that people have; they have no statuses, teams and notes. */
function textOf(person: Person, from: PayloadSource): string | undefined {
  const value: unknown = 'field' in from ? new Map(Object.entries(person)).get(from.field) : undefined;
  return typeof value === 'string' ? value : undefined;
}
