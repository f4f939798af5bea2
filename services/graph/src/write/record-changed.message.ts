import { randomUUID } from 'node:crypto';
import type { RecordEventName } from '@itsm/shared/contracts/events';
import type { RecordAction } from '@itsm/shared/contracts/record-kinds';
import { payloadFor, shownReferences } from '@itsm/shared/contracts/event-body';
import type { PayloadSource, Reference } from '@itsm/shared/contracts/event-body';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Actor, Trail } from '../store/trail';
import { changesBetween } from '../record-types/record';
import type { ItsmRecord } from '../record-types/record';
import { textIn, idIn } from '@itsm/shared/declared/values';
import type { RecordType } from '../record-types/record-type';
import type { Lookups } from '../read/record-lookups';
import type { FilesChange } from './file-changes';

/** One write of one record; `before` is absent on creation. */
export interface Write {
  readonly type: RecordType;
  readonly before: ItsmRecord | undefined;
  readonly after: ItsmRecord;
  readonly actor: Actor | null;
  /** Absent when the files of its texts stay as they are. */
  readonly files?: FilesChange | undefined;
}

const followUps: Readonly<Record<string, RecordAction>> = {
  status: 'status-changed',
  team: 'team-changed',
  member: 'member-changed',
  manager: 'manager-changed',
};

/** The events of a write, in publishing order; only events that the type declares. */
export function eventNames({ type, before, after, files }: Write, { note }: Pick<Trail, 'note'>): RecordEventName[] {
  const changed = changesBetween(type, before?.values, after.values).map(({ field }) => field);
  const actions: readonly RecordAction[] = before
    ? [
        ...(changed.length > 0 || files ? (['update'] as const) : []),
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
  /** By the names of the fields that refer to them. */
  readonly references: ReadonlyMap<string, Reference>;
  readonly visibleTo: string[];
}

/** The messages of a write; their payloads differ only in the members of certain events. */
export function recordEvents(write: Write, nodeIdDomain: string, shared: Shared): RecordChanged[] {
  const { type, after, actor } = write;
  const { trail, visibleTo } = shared;
  const nodeIdOf = (graphqlName: string, id: number) => toNodeId(nodeIdDomain, graphqlName, id);
  const resource = `/v1/${type.plural}/${after.id}`;
  const valueOf = payloadValues(write, nodeIdOf, shared);
  return eventNames(write, trail).map((event) => ({
    eventId: randomUUID(),
    event,
    at: after.updatedAt.toISOString(),
    accountId: after.accountId,
    visibleTo,
    object: { id: after.id, nodeID: nodeIdOf(type.graphqlName, after.id) },
    person: actor && { ...actor, nodeID: nodeIdOf('Person', actor.id) },
    payload: payloadFor(event.split('.')[1] as RecordAction, ({ from }) => valueOf(from)),
    links: {
      canonical: `/${type.plural}/${after.id}`,
      resource,
      ...(event.endsWith('.note-added') && trail.note && { related: `${resource}/notes/${trail.note.id}` }),
    },
  }));
}

type ToNodeId = (type: string, id: number) => string;

const payloadValues =
  ({ before, after }: Write, nodeIdOf: ToNodeId, { trail, references }: Shared) =>
  (from: PayloadSource): unknown => {
    if ('field' in from) return textIn(after.values, from.field);
    if ('custom' in from) return after.values[from.custom] ?? undefined;
    if ('before' in from) return before && textIn(before.values, from.before);
    if ('reference' in from) return references.get(from.reference);
    const { id } = trail[from.entry] ?? {};
    if (id === undefined || from.show === 'id') return id;
    return nodeIdOf(from.entry === 'note' ? 'Note' : 'AuditLine', id);
  };

/** The records and people that the payloads of a write show (spec: Webhook delivery body). */
export async function referencesOf(
  nodeIdDomain: string,
  lookups: Lookups,
  { values }: ItsmRecord,
): Promise<Shared['references']> {
  const nodeIdOf = (type: string, id: number): string => toNodeId(nodeIdDomain, type, id);
  const found = await Promise.all(
    shownReferences.map(async ({ reference, type }) => {
      const present = type === 'Team' ? presentTeam : presentPerson;
      return [reference, await present(nodeIdOf, lookups, idIn(values, reference))] as const;
    }),
  );
  return new Map(found.flatMap(([field, shown]) => (shown ? [[field, shown]] : [])));
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

async function presentPerson(
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
