import { badRequest } from '../../base/errors/app-error';
import { parseList } from './query-parameters';

/** A value that can be sorted by and stored in a cursor. */
export type SortValue = string | number | boolean | Date | null;

/** The type of a filter's values: `time` is ISO 8601, a date or a date with time. */
/** `identifier`: an integer id, which can be compared for equality but not by range. */
type FilterType = 'integer' | 'identifier' | 'string' | 'boolean' | 'time';

/** A filterable field; `property` is its name in the record. */
export interface FilterField {
  readonly property: string;
  readonly type: FilterType;
}

/** Presents one field as JSON; `view` is the request's context (locale, base URL, …). */
export type Present<T, V> = (record: T, view: V) => unknown;

/** The REST form of one kind of record. */
export interface Resource<T extends { readonly id: number | string }, V = undefined> {
  /** All fields, in output order. */
  readonly fields: Readonly<Record<string, Present<T, V>>>;
  /** The default fields of a collection. */
  readonly collectionFields: readonly string[];
  /** Fields that collections never include. */
  readonly singleOnly?: readonly string[];
  /** REST name → property of the record. */
  readonly sortable: Readonly<Record<string, keyof T & string>>;
  /** REST name → filter; absent when the collection has no filters. */
  readonly filterable?: Readonly<Record<string, FilterField & { readonly property: keyof T & string }>>;
}

/** The named fields of `record` as JSON; an absent value is `null`. */
export function present<T extends { readonly id: number | string }, V>(
  resource: Resource<T, V>,
  names: readonly string[],
  record: T,
  view: V,
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, resource.fields[name]?.(record, view) ?? null]));
}

/** All fields of `record`, as the answer to a write. */
export const presentAll = <T extends { readonly id: number | string }, V>(
  resource: Resource<T, V>,
  record: T,
  view: V,
): Record<string, unknown> => present(resource, Object.keys(resource.fields), record, view);

/** Parses `fields=`: `id` is always included, `*` is all; 400 for an unknown field. */
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
