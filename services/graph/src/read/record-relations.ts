import type { Relation } from '../store/children.repository';
import { pathOf } from '../store/record-selection';
import { ownersOf } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';

/** A connection from a record, or from a person, back to the records that name it: `workflow { tasks }`, `person { requests }`. */
export interface InverseRelation {
  /** A record type's name, or `person`. */
  readonly parent: string;
  readonly field: string;
  readonly child: RecordType;
  /** The path in the child that holds the parent's id. */
  readonly foreign: string;
}

/** All connections that the declarations ask for. */
export const inverseRelations = (types: readonly RecordType[]): InverseRelation[] =>
  types.flatMap((child) => [
    ...child.fields.flatMap((field): InverseRelation[] => {
      if (!('inverse' in field) || field.inverse === undefined) return [];
      const parent = field.kind === 'record' ? field.to : 'person';
      return [{ parent, field: field.inverse, child, foreign: pathOf(field.name) }];
    }),
    ...(child.ofPerson !== undefined && ownersOf(child).length > 0
      ? [{ parent: 'person', field: child.ofPerson, child, foreign: 'owners' }]
      : []),
  ]);

/** The collection in which the parents of a relation stand. */
export const parentsOf = (types: readonly RecordType[], { parent }: InverseRelation): Relation['parents'] =>
  parent === 'person' ? 'people' : (types.find(({ name }) => name === parent)?.plural ?? parent);
