import type { Caller } from '@itsm/shared/api/identity/caller';
import { requireRecordId } from '@itsm/shared/base/ids/node-id';
import { versionCheck } from '@itsm/shared/declared/declared.resolvers';
import type { RecordType } from '../record-types/record-type';
import { parseInput } from './record.input';
import type { Input } from './record.input';
import type { Outcome } from './outcome';
import type { RecordService } from './record.service';

export type Verb = 'Create' | 'Update';

/** The writes of the mutations of a type, by their inputs. */
export type Mutations = Readonly<Record<Verb, (caller: Caller, input: Input) => Promise<Outcome>>>;

/** Which record the input of a change means, and what it must be like; "Not Found" for what is no id. */
export const changedBy = ({ graphqlName }: RecordType, nodeIdDomain: string, input: Input) => ({
  id: requireRecordId(nodeIdDomain, graphqlName, String(input['id'])),
  check: versionCheck(input['ifVersion'] as number | null | undefined),
});

export const createMutations = (service: RecordService, nodeIdDomain: string): Mutations => ({
  Create: (caller, input) => service.create(caller.accountId, caller, parseInput(service.type, nodeIdDomain, input)),
  Update: (caller, input) => {
    const { id, check } = changedBy(service.type, nodeIdDomain, input);
    return service.update(caller.accountId, caller, id, parseInput(service.type, nodeIdDomain, input), check);
  },
});
