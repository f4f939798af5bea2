import { isDeepStrictEqual } from 'node:util';
import { isConveyed, isStored } from './language';
import type { Declaration } from './language';
import type { GivenOf, RecordOf } from './record-of';
import { givenName, propertyOf } from './names';
import { memberOf } from './read-input';
import { shownOf } from './setting-kinds';

/** A field that differs, by its REST name. */
export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields whose values differ, in the order of the declaration; `before` is undefined for a new record. */
export const changedFields = (type: Declaration, before: object | undefined, after: object): FieldChange[] =>
  type.fields
    .filter(isStored)
    .filter(({ unaudited }) => !unaudited)
    .flatMap((field) => {
      const [from, to] = [before && valueIn(before, propertyOf(field)), valueIn(after, propertyOf(field))];
      // A new secret is a change, though what is shown of it is the same.
      if (isDeepStrictEqual(from ?? null, to ?? null)) return [];
      return [{ field: memberOf(field), from: before ? shownOf(field, from) : null, to: shownOf(field, to) }];
    });

const valueIn = (record: object, name: string): unknown => (record as Readonly<Record<string, unknown>>)[name];

/** The names of the given values, in the order of the declaration. */
export const namesOf = <D extends Declaration>(type: D, given: GivenOf<D>): string[] =>
  type.fields
    .filter(isStored)
    .map(givenName)
    .filter((name) => valueIn(given, name) !== undefined);

/** The given values that differ from those of the record. Values that the service converts are not among them. */
export const differing = <D extends Declaration>(type: D, before: object, given: GivenOf<D>): GivenOf<D> =>
  Object.fromEntries(
    type.fields
      .filter(isStored)
      .filter((field) => !isConveyed(field))
      .map((field) => [propertyOf(field), valueIn(given, propertyOf(field))] as const)
      .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, valueIn(before, name))),
  ) as GivenOf<D>;

/** The declared settings of a record, without what it has beside them. */
export const settingsOf = <D extends Declaration>(type: D, record: RecordOf<D>): RecordOf<D> =>
  Object.fromEntries(
    type.fields.filter(isStored).map((field) => [propertyOf(field), valueIn(record, propertyOf(field))]),
  ) as RecordOf<D>;
