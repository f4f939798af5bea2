import type { Caller } from '@itsm/shared/api/identity/caller';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { declaredResource } from '@itsm/shared/declared/declared.resource';
import { declaredRoutes } from '@itsm/shared/declared/declared.routes';
import type { Edits } from '@itsm/shared/declared/edits';
import { textIn } from '@itsm/shared/declared/values';
import { isPermitted } from '@itsm/shared/api/identity/allow';
import type { Router } from 'express';
import type { ItsmRecord } from '../record-types/record';
import type { Kept, KeptType } from './kept';

interface Dependencies<D extends KeptType> {
  readonly edits: Edits<D, Kept<D>>;
  readonly teamOf: (caller: Caller, id: number) => Promise<ItsmRecord | undefined>;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

interface View {
  readonly nodeIdOf: (graphqlName: string, id: number) => string;
  readonly personId: number;
  readonly teamNames: ReadonlyMap<number, string>;
}

/** REST of what people keep. */
export function createKeptRouter<D extends KeptType>(
  type: D,
  { edits, teamOf, baseUrl, nodeIdDomain }: Dependencies<D>,
): Router {
  const derived = { isOwn: ({ ownerId }: Kept<D>, { personId }: View) => ownerId === personId };
  const shown = {
    team: ({ teamId }: Kept<D>, { nodeIdOf, teamNames }: View) =>
      teamId === null ? null : { id: teamId, nodeID: nodeIdOf('Team', teamId), name: teamNames.get(teamId) ?? null },
  };
  const resource = declaredResource<D, Kept<D>, View>(type, derived, shown);
  const nodeIdOf = (graphqlName: string, id: number) => toNodeId(nodeIdDomain, graphqlName, id);
  function createView(caller: Caller) {
    const teamNames = new Map<number, string>();
    async function remember(records: readonly Kept<D>[]): Promise<void> {
      if (!isPermitted(caller, 'team:Read')) return;
      for (const teamId of new Set(records.flatMap((record) => record.teamId ?? []))) {
        const team = await teamOf(caller, teamId);
        const name = team && textIn(team.values, 'name');
        if (name !== undefined) teamNames.set(teamId, name);
      }
    }
    return { view: { nodeIdOf, personId: caller.personId, teamNames }, remember };
  }
  return declaredRoutes(type, edits, { resource, createView, baseUrl, nodeIdDomain });
}
