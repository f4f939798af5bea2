import { titleField } from '../../../services/graph/src/record-types/record';
import { inputName, memberName } from '@itsm/shared/declared/names';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../../../services/graph/src/record-types/record-type';

/** The ids of the records made so far, and of a person, by kind. */
export type Ids = Readonly<Record<string, string>>;

/** The types that clients can create records of, each after those that it refers to. */
export function inOrderOfCreation(types: readonly RecordType[]): readonly RecordType[] {
  const ordered = new Set<RecordType>();
  const seen = new Set<RecordType>();
  const add = (type: RecordType): void => {
    if (seen.has(type)) return;
    seen.add(type);
    for (const field of type.fields) {
      if (field.kind === 'record') types.filter(({ name }) => name === field.to.name).forEach(add);
    }
    ordered.add(type);
  };
  types.forEach(add);
  return [...ordered].filter(({ mutations }) => mutations.create !== undefined);
}

/** The call that creates a record which names whatever it can name. */
export function creationOf(type: RecordType, ids: Ids): string {
  const given = type.fields
    .filter(({ written }) => !written)
    .flatMap((field) => {
      const value = valueOf(type, field, ids);
      return value === undefined ? [] : `${inputName(field)}: ${JSON.stringify(value)}`;
    });
  const note = type.hasNotes ? [`note: "N for @[P](person:${ids['person'] ?? ''})"`] : [];
  return `${memberName(type)}Create(input: { ${[...given, ...note].join(', ')} })`;
}

function valueOf(type: RecordType, field: Field, ids: Ids): unknown {
  switch (field.kind) {
    case 'text':
      return field.required || field.name === titleField(type) ? `A ${type.name}` : undefined;
    case 'person':
      return ids['person'];
    case 'people':
      return [ids['person']];
    case 'record':
    case 'reference':
      return ids[field.to.name];
    default:
      return undefined;
  }
}
