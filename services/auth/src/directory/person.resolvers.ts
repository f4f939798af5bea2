import { notFound } from '@itsm/shared/base/errors/app-error';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { editorRoles } from './person-access';
import type { Editor } from './person-access';
import type { PersonAdministration } from './person-administration.service';

interface Dependencies {
  readonly personAdministration: PersonAdministration;
  readonly nodeIdDomain: string;
}

interface UpdateInput extends MutationInput {
  readonly id: string;
}

/** How people are made and changed. */
export function createPersonResolvers({ personAdministration, nodeIdDomain }: Dependencies) {
  return {
    Mutation: {
      personCreate: allowed<MutationArgs<MutationInput>>(
        'person:Create',
        (_parent, { input }, { caller }) =>
          toPayload(input, async () => ({
            person: await personAdministration.create(caller.accountId, editorOf(caller), input),
          })),
        ...editorRoles,
      ),
      personUpdate: allowed<MutationArgs<UpdateInput>>(
        'person:Update',
        (_parent, { input }, { caller }) =>
          toPayload(input, async () => {
            const id = parseRecordId(nodeIdDomain, 'Person', input.id);
            if (id === undefined) throw notFound();
            return { person: await personAdministration.update(caller.accountId, editorOf(caller), id, input) };
          }),
        ...editorRoles,
      ),
    },
  };
}

const editorOf = ({ personId, name, accountId, roles }: Caller): Editor => ({ personId, name, accountId, roles });
