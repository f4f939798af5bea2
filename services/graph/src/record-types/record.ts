import type { Field } from '@itsm/shared/declared/language';
import { lifeCycleField, stateOf } from './life-cycle';
import type { SetAside, StoredState } from './life-cycle';
import type { RecordType } from './record-type';
import type { Value, Values } from '@itsm/shared/declared/values';

/** One record of any type. */
export interface ItsmRecord {
  readonly id: number;
  readonly accountId: string;
  readonly values: Values;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Incremented by every write; a write based on an older version is refused (optimistic concurrency). */
  readonly version: number;
  /** Absent for an active record. */
  readonly aside?: SetAside | undefined;
  /** Whether texts of it have files; these are read apart. */
  readonly hasFiles?: boolean;
}

export interface Change {
  readonly field: string;
  readonly from: Value;
  readonly to: Value;
}

/** The fields whose values differ, in the order of the declaration. */
export function changesBetween(type: RecordType, before: Values | undefined, after: Values): Change[] {
  return type.fields.flatMap(({ name }) => {
    const [from, to] = [before?.[name] ?? null, after[name] ?? null];
    return sameValue(from, to) ? [] : [{ field: name, from, to }];
  });
}

/** Only times and lists need their text, which takes longer to make than all else here. */
const sameValue = (a: Value, b: Value): boolean =>
  a === b || ((typeof a === 'object' || typeof b === 'object') && JSON.stringify(a) === JSON.stringify(b));

export const isAudited = (field: Field | undefined): boolean => field?.unaudited !== true;

/** The title field, which full-text search covers. */
export const titleField = (type: RecordType): string => type.fields.find(({ kind }) => kind === 'text')?.name ?? '';

/** A record as one flat object, with the property names that filters and orders use. */
export const flat = ({ values, aside, ...own }: ItsmRecord): FlatRecord => ({
  ...values,
  ...own,
  [lifeCycleField]: stateOf({ aside }),
});
export type FlatRecord = Values & Omit<ItsmRecord, 'values' | 'aside'> & { readonly [lifeCycleField]: StoredState };
