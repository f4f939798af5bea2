import { Schema } from 'mongoose';
import { isSetting, isStored } from './language';
import type { Declaration, Field, StoredField } from './language';
import type { RecordOf } from './record-of';
import { propertyOf } from './names';
import { settingTypes } from './setting-kinds';

/** The property of stored documents that has the field's value; also for `id` and other names that are no fields. */
export function storedName(type: Declaration, name: string): string {
  const field = type.fields.filter(isStored).find((one) => one.name === name || propertyOf(one) === name);
  return field ? pathOf(field) : name;
}

const storedFields = (type: Declaration): readonly StoredField[] =>
  type.fields.filter(isStored).filter(({ isStoredApart }) => !isStoredApart);

const pathOf = (field: StoredField): string => field.stored ?? propertyOf(field);

const schemaTypes = {
  text: String,
  choice: String,
  account: String,
  flag: Boolean,
  integer: Number,
  person: Number,
  record: Number,
  people: Schema.Types.Mixed,
  timestamp: Date,
  date: Date,
  reference: Number,
  custom: Schema.Types.Mixed,
} as const satisfies Record<Field['kind'], unknown>;

/** Paths of a mongoose schema for the type's fields. */
export const storedPaths = (type: Declaration): Record<string, { type: unknown; default: null }> =>
  Object.fromEntries(
    storedFields(type).map((field) => [
      pathOf(field),
      { type: isSetting(field) ? settingTypes[field.kind] : schemaTypes[field.kind], default: null },
    ]),
  );

/** The members of a document for the fields of `record`. */
export const toStored = <D extends Declaration>(type: D, record: RecordOf<D>): Record<string, unknown> =>
  Object.fromEntries(
    storedFields(type).map((field) => [
      pathOf(field),
      (record as Readonly<Record<string, unknown>>)[propertyOf(field)] ?? null,
    ]),
  );

interface Place {
  readonly property: string;
  readonly path: string;
  readonly older: unknown;
}
const placesByType = new WeakMap<Declaration, readonly Place[]>();

/** Where the fields are in a document. They are looked up once, since lists read many documents. */
function placesOf(type: Declaration): readonly Place[] {
  const known = placesByType.get(type);
  if (known) return known;
  const places = storedFields(type).map((field) => ({
    property: propertyOf(field),
    path: pathOf(field),
    older: field.older ?? null,
  }));
  placesByType.set(type, places);
  return places;
}

/** The fields of a record from its document; what an earlier release did not store is null, or what `older` says. */
export function fromStored<D extends Declaration>(type: D, document: object): RecordOf<D> {
  const stored = document as Readonly<Record<string, unknown>>;
  const record: Record<string, unknown> = {};
  for (const { property, path, older } of placesOf(type)) record[property] = stored[path] ?? older;
  return record as RecordOf<D>;
}
