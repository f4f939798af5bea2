import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKindName, RecordKinds } from '@itsm/shared/contracts/record-kinds';
import type { Kind } from './record-type';

/** The names and events of a kind, for its declaration and for fields that refer to it. */
export function kind(name: RecordKindName, kinds: RecordKinds = recordKinds): Kind {
  const { graphqlName, plural, events } = kinds[name];
  return { name, graphqlName, plural, events };
}
