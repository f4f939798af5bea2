import { badRequest } from '../../base/errors/app-error';
import { parseList } from './query-parameters';

/** What can be sorted by and kept in a cursor. */
export type SortValue = string | number | boolean | Date | null;

/** How the values of a filter are written: `time` is ISO 8601, a date or a date with time. */
/** `identifier`: an integer that names something. It can be compared for equality, but not by range. */
type FilterType = 'integer' | 'identifier' | 'string' | 'boolean' | 'time';

/** A field that a collection can be filtered by; `property` names it in the record. */
export interface FilterField {
  readonly property: string;
  readonly type: FilterType;
}

/** Turns one field of a record into JSON; `view` is what depends on the caller (locale, base URL, …). */
export type Present<T, V> = (record: T, view: V) => unknown;

/** How one kind of record looks in REST. */
export interface Resource<T extends { readonly id: number | string }, V = undefined> {
  /** Every field in the order in which it is answered. */
  readonly fields: Readonly<Record<string, Present<T, V>>>;
  /** The fields of a collection when the caller names none. */
  readonly collectionFields: readonly string[];
  /** Fields that a collection never answers. */
  readonly singleOnly?: readonly string[];
  /** REST name → property of the record. */
  readonly sortable: Readonly<Record<string, keyof T & string>>;
  /** REST name → what it filters by; absent when the collection has no filters. */
  readonly filterable?: Readonly<Record<string, FilterField & { readonly property: keyof T & string }>>;
}

/** The named fields of `record`; an absent value is `null`. */
export function present<T extends { readonly id: number | string }, V>(
  resource: Resource<T, V>,
  names: readonly string[],
  record: T,
  view: V,
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, resource.fields[name]?.(record, view) ?? null]));
}

/** Every field of `record`, as the answer to a write. */
export const presentAll = <T extends { readonly id: number | string }, V>(
  resource: Resource<T, V>,
  record: T,
  view: V,
): Record<string, unknown> => present(resource, Object.keys(resource.fields), record, view);

/** The fields to answer for `fields=`: `id` always, `*` is all; an unknown one is a 400 that names it. */
export function parseFields<T extends { readonly id: number | string }, V>(
  resource: Resource<T, V>,
  text: string | undefined,
  form: 'collection' | 'single',
): readonly string[] {
  const hidden = form === 'collection' ? (resource.singleOnly ?? []) : [];
  const all = Object.keys(resource.fields).filter((name) => !hidden.includes(name));
  const asked = parseList(text) ?? (form === 'single' ? ['*'] : resource.collectionFields);
  const unknown = asked.filter((name) => name !== '*' && !all.includes(name));
  if (unknown.length > 0) throw badRequest(`Unknown fields: ${unknown.join(', ')}`);
  return all.filter((name) => name === 'id' || asked.includes('*') || asked.includes(name));
}
