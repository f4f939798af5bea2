import type { Field, RecordType } from './record-type';
import type { Value, Values } from './values';

/** One record of any type. */
export interface ItsmRecord {
  readonly id: number;
  readonly accountId: string;
  readonly values: Values;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Grows with every change; a change of an older version is refused. */
  readonly version: number;
}

export interface Change {
  readonly field: string;
  readonly from: Value;
  readonly to: Value;
}

/** Fields whose value differs, in the order of the declaration. */
export function changesBetween(type: RecordType, before: Values | undefined, after: Values): Change[] {
  return type.fields.flatMap(({ name }) => {
    const [from, to] = [before?.[name] ?? null, after[name] ?? null];
    return sameValue(from, to) ? [] : [{ field: name, from, to }];
  });
}

const sameValue = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);

export const isAudited = (field: Field | undefined): boolean => !(field?.kind === 'integer' && field.unaudited);

/** The title's field: where free text is looked for. */
export const titleField = (type: RecordType): string => type.fields.find(({ kind }) => kind === 'text')?.name ?? '';

/** What a record has beside its fields, under the names by which it is filtered and ordered. */
export const flat = ({ id, accountId, values, createdAt, updatedAt }: ItsmRecord): FlatRecord => ({
  ...values,
  id,
  accountId,
  createdAt,
  updatedAt,
});
export type FlatRecord = Values & { readonly id: number; readonly accountId: string };
