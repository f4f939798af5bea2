import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKindName, RecordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordTypeKind } from '@itsm/shared/declared/language';

/** The names and events of a kind, for its declaration and for fields that refer to it. */
export function kind(name: RecordKindName, kinds: RecordKinds = recordKinds): RecordTypeKind {
  const { graphqlName, plural, label: labelPlural, events } = kinds[name];
  return { name, graphqlName, plural, labelPlural, events };
}
