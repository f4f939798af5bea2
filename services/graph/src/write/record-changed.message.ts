import { randomUUID } from 'node:crypto';
import type { RecordEventName } from '@itsm/shared/contracts/events';
import type { RecordAction } from '@itsm/shared/contracts/record-kinds';
import type { RecordChanged, RecordPayload } from '@itsm/shared/contracts/records';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Actor, Trail } from '../store/trail';
import { changesBetween } from '../record-types/record';
import type { ItsmRecord } from '../record-types/record';
import { textIn, idIn } from '../record-types/values';
import type { RecordType } from '../record-types/record-type';
import type { Lookups } from '../read/record-lookups';

/** One write of one record; `before` is absent on creation. */
export interface Write {
  readonly type: RecordType;
  readonly before: ItsmRecord | undefined;
  readonly after: ItsmRecord;
  readonly actor: Actor | null;
}

const followUps: Readonly<Record<string, RecordAction>> = {
  status: 'status-changed',
  team: 'team-changed',
  member: 'member-changed',
  manager: 'manager-changed',
};

/** The events of a write, in publishing order; only events that the type declares. */
export function eventNames({ type, before, after }: Write, { note }: Pick<Trail, 'note'>): RecordEventName[] {
  const changed = changesBetween(type, before?.values, after.values).map(({ field }) => field);
  const actions: readonly RecordAction[] = before
    ? [
        ...(changed.length > 0 ? (['update'] as const) : []),
        ...Object.entries(followUps).flatMap(([field, action]) => (changed.includes(field) ? [action] : [])),
        ...(note ? (['note-added'] as const) : []),
      ]
    : ['create'];
  return actions
    .filter((action) => type.events.includes(action))
    .map((action) => `${type.name}.${action}` as RecordEventName);
}

/** What all events of one write share. */
interface Shared {
  readonly trail: Trail;
  readonly payload: RecordPayload;
  readonly visibleTo: string[];
}

/** The messages of a write; their payloads differ only in the members of certain events. */
export function recordEvents(
  write: Write,
  nodeIdDomain: string,
  { trail, payload, visibleTo }: Shared,
): RecordChanged[] {
  const { type, before, after, actor } = write;
  const resource = `/v1/${type.plural}/${after.id}`;
  const previous = before && textIn(before.values, 'status');
  return eventNames(write, trail).map((event) => ({
    eventId: randomUUID(),
    event,
    at: after.updatedAt.toISOString(),
    accountId: after.accountId,
    visibleTo,
    object: { id: after.id, nodeID: toNodeId(nodeIdDomain, type.graphqlName, after.id) },
    person: actor && { ...actor, nodeID: toNodeId(nodeIdDomain, 'Person', actor.id) },
    payload: {
      ...auditMembers(event, trail, nodeIdDomain),
      ...payload,
      ...(event.endsWith('.status-changed') && previous !== undefined && { previous_status: previous }),
    },
    links: {
      canonical: `/${type.plural}/${after.id}`,
      resource,
      ...(event.endsWith('.note-added') && trail.note && { related: `${resource}/notes/${trail.note.id}` }),
    },
  }));
}

/** A note causes no audit entry, so its event has none, even when fields changed in the same write. */
const auditMembers = (event: RecordEventName, { auditLine }: Trail, nodeIdDomain: string): RecordPayload =>
  auditLine === undefined || event.endsWith('.note-added')
    ? {}
    : { audit_line_id: auditLine.id, audit_line_nodeID: toNodeId(nodeIdDomain, 'AuditLine', auditLine.id) };

type Reference = NonNullable<RecordPayload['team']>;
type ToNodeId = (type: string, id: number) => string;

/** The members that all events of one change share (spec: Webhook delivery body). */
export async function presentPayload(
  nodeIdDomain: string,
  lookups: Lookups,
  { values }: ItsmRecord,
  { note }: Pick<Trail, 'note'>,
): Promise<RecordPayload> {
  const nodeId = (type: string, id: number): string => toNodeId(nodeIdDomain, type, id);
  const [source, sourceID, status] = [textIn(values, 'source'), textIn(values, 'sourceID'), textIn(values, 'status')];
  const [team, member] = await Promise.all([
    presentTeam(nodeId, lookups, idIn(values, 'team')),
    presentMember(nodeId, lookups, idIn(values, 'member')),
  ]);
  return {
    ...(note && { note_id: note.id, note_nodeID: nodeId('Note', note.id) }),
    ...(source !== undefined && { source }),
    ...(sourceID !== undefined && { sourceID }),
    ...(status !== undefined && { status }),
    ...(team && { team }),
    ...(member && { member }),
  };
}

async function presentTeam(nodeId: ToNodeId, lookups: Lookups, id: number | undefined): Promise<Reference | undefined> {
  const team = id === undefined ? undefined : await lookups.records('team').load(id);
  if (!team) return undefined;
  const sourceID = textIn(team.values, 'sourceID');
  return {
    id: team.id,
    nodeID: nodeId('Team', team.id),
    name: textIn(team.values, 'name') ?? '',
    ...(sourceID !== undefined && { sourceID }),
    ...(team.values['disabled'] === true && { disabled: true }),
    account: await presentAccount(lookups, team.accountId),
  };
}

async function presentMember(
  nodeId: ToNodeId,
  lookups: Lookups,
  id: number | undefined,
): Promise<Reference | undefined> {
  const person = id === undefined ? undefined : await lookups.people.load(id);
  if (!person) return undefined;
  return {
    id: person.id,
    nodeID: nodeId('Person', person.id),
    name: person.name,
    ...(person.sourceID !== null && { sourceID: person.sourceID }),
    ...(person.disabled && { disabled: true }),
    account: await presentAccount(lookups, person.accountId),
  };
}

/** Falls back to the id when the account's name is not known yet. */
const presentAccount = async (lookups: Lookups, id: string) => ({
  id,
  name: (await lookups.accounts.load(id))?.name ?? id,
});
