import type { RecordPayload } from '@itsm/shared/contracts/records';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Trail } from '../store/trail';
import { idIn, textIn } from '../record-types/values';
import type { ItsmRecord } from '../record-types/record';
import type { Lookups } from '../read/record-lookups';

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

/** The account's id where its name is not known yet. */
const presentAccount = async (lookups: Lookups, id: string) => ({
  id,
  name: (await lookups.accounts.load(id))?.name ?? id,
});
