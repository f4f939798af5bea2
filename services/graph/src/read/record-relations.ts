import { pathOf } from '../store/record-selection';
import { kind } from '../record-types/kind';
import { ownersOf } from '../record-types/record-type';
import type { RecordTypeKind } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';

/**
 * An inverse connection: from a record or a person back to the records that refer to it, such as `workflow { tasks }`
 * or `person { requests }`.
 */
export interface InverseRelation {
  readonly parent: RecordTypeKind;
  readonly field: string;
  readonly child: RecordType;
  /** The path in the child that holds the parent's id (foreign key). */
  readonly foreign: string;
}

/** All inverse connections of the declarations. */
export const inverseRelations = (types: readonly RecordType[]): InverseRelation[] =>
  types.flatMap((child) => [
    ...child.fields.flatMap((field): InverseRelation[] => {
      if (!('inverse' in field) || field.inverse === undefined) return [];
      const parent = field.kind === 'record' ? field.to : kind('person');
      return [{ parent, field: field.inverse, child, foreign: pathOf(field.name) }];
    }),
    ...(child.ofPerson !== undefined && ownersOf(child).length > 0
      ? [{ parent: kind('person'), field: child.ofPerson, child, foreign: 'owners' }]
      : []),
  ]);
