import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKindName, RecordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordType } from './record-type';

/** The members of a declaration that the table of record kinds contains. */
export function kind(
  name: RecordKindName,
  kinds: RecordKinds = recordKinds,
): Pick<RecordType, 'name' | 'graphqlName' | 'plural' | 'events'> {
  const { graphqlName, plural, events } = kinds[name];
  return { name, graphqlName, plural, events };
}
