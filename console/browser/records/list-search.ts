import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import { isStaff } from '../api/roles';
import type { Session } from '../api/session';
import { isKeeper } from './editing';

/** The search parameters of a list: `view`, `q`, `sort`, `cols` (see `columnsIn`), and fields by their names in REST. */
export type ListSearch = Readonly<Record<string, string>>;

/** A part of the list that has a name. */
export interface ListView {
  /** In the address. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** What its link sets in the address. */
  readonly search: ListSearch;
}

/** What is asked for, in the terms of GraphQL. */
export interface Asked {
  readonly view: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly order: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[];
}

type Person = Pick<Session, 'roles'>;

/** The view of what has no member, which the platform has as a filter. */
const unassigned = 'unassigned';
const anybody = 'current_account';
const has = (type: TypeDescription, view: string): boolean => type.views.some(({ name }) => name === view);

/** The view of an address that names none: what is open or enabled. */
export const usualView = (type: TypeDescription): string =>
  ['open', 'active', 'enabled'].find((view) => has(type, view)) ?? anybody;

const isOpenable = ({ closed, hasStatus }: TypeDescription): boolean => hasStatus && closed !== undefined;

/** The views that a person has a use for: those that are looked at every day, and the others. */
export function viewsFor(type: TypeDescription, person: Person): Record<'usual' | 'further', readonly ListView[]> {
  const views = type.views
    .filter(({ audience }) => audience === undefined || (audience === 'staff' ? isStaff(person) : isKeeper(person)))
    .map(({ rare, personal = false, ...words }) => ({
      isRare: rare === 'everybody' || (rare === 'staff' && isStaff(person)),
      ...words,
      // Of what is theirs, people want what is still to be done.
      search: { view: words.name, ...(personal && isOpenable(type) && { status: 'open' }) },
    }));
  const listed = (isRare: boolean): readonly ListView[] => views.filter((view) => view.isRare === isRare);
  const everybody = listed(false).filter(({ name }) => name === anybody);
  const first = usualView(type);
  const usual = listed(false)
    .filter(({ name }) => name !== anybody)
    .sort((one, other) => Number(other.name === first) - Number(one.name === first));
  const at = usual.findIndex(({ name }) => name === 'assigned_to_my_team') + 1;
  return {
    usual: [...usual.slice(0, at), ...unassignedOf(type, person), ...usual.slice(at), ...everybody],
    further: listed(true),
  };
}

function unassignedOf(type: TypeDescription, person: Person): readonly ListView[] {
  const isKnown = isStaff(person) && filterFields(type).some(({ name }) => name === 'member');
  const description = 'Of what is open, what nobody is assigned to.';
  return isKnown ? [{ name: unassigned, label: 'Unassigned', description, search: { view: unassigned } }] : [];
}

/** The fields by which a list can be filtered by choosing a value. */
export const filterFields = ({ fields }: TypeDescription): readonly FieldDescription[] =>
  fields.filter(
    ({ filterable, audience, kind }) =>
      filterable && audience !== 'machine' && ['choice', 'flag', 'reference'].includes(kind),
  );

/** What the address asks for, and the names of its parameters that the list does not know or whose values are wrong. */
export function askedBy(
  type: TypeDescription,
  search: ListSearch,
  personId: string,
): Asked & { readonly unknown: readonly string[] } {
  const { view = usualView(type), q, sort = usualSort, cols: _cols, ...others } = search;
  const filters = Object.entries(others).map(([name, text]) => {
    const field = filterFields(type).find(({ rest }) => rest === name);
    return { name, field, value: field && filterOf(type, field, text, personId) };
  });
  const isView = view === unassigned || has(type, view);
  const order = orderOf(type, sort);
  return {
    view: isView && view !== unassigned ? view : usualView(type),
    filter: Object.assign(
      {},
      ...filters.map(({ field, value }) => field && value !== undefined && { [field.name]: value }),
      q !== undefined && { query: q },
      view === unassigned && { member: { values: [null] } },
    ) as Record<string, unknown>,
    order: [order ?? { field: 'updatedAt', direction: 'desc' }],
    unknown: [
      ...(isView ? [] : ['view']),
      ...(order ? [] : ['sort']),
      ...filters.filter(({ value }) => value === undefined).map(({ name }) => name),
    ],
  };
}

/** The filter of GraphQL for a value in the address; undefined for one that the field cannot have. */
function filterOf(type: TypeDescription, field: FieldDescription, text: string, personId: string): unknown {
  if (field.kind === 'flag') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  const { words = [], refersTo } = field;
  const values = text.split(',').flatMap((one): readonly (string | null | undefined)[] => {
    if (one === 'none') return [null];
    if (field.kind === 'reference')
      return [one === 'me' && refersTo === 'Person' ? personId : /^\d{1,15}$/.test(one) ? one : undefined];
    if (one === 'open' && field.name === 'status' && isOpenable(type))
      return words.map(({ value }) => value).filter((value) => type.closed?.includes(value) !== true);
    return [words.find(({ value }) => value === one)?.value];
  });
  return values.includes(undefined) ? undefined : { values };
}

/** The order of an address that names none. */
export const usualSort = '-updated_at';

const restOf = (type: TypeDescription, order: string): string =>
  ({ createdAt: 'created_at', updatedAt: 'updated_at' })[order] ??
  type.fields.find(({ name }) => name === order)?.rest ??
  order;

function orderOf(type: TypeDescription, sort: string): Asked['order'][number] | undefined {
  const field = type.orders.find((order) => restOf(type, order) === sort.replace(/^-/, ''));
  return field === undefined ? undefined : { field, direction: sort.startsWith('-') ? 'desc' : 'asc' };
}

/** The orders of a list in words, by their names in the address. */
export function sortsOf(type: TypeDescription): readonly { readonly value: string; readonly label: string }[] {
  const fields = type.fields.filter(({ name }) => type.orders.includes(name));
  return [
    { value: usualSort, label: 'Last changed first' },
    { value: '-created_at', label: 'Newest first' },
    { value: 'created_at', label: 'Oldest first' },
    ...fields.map(({ rest, label }) => ({ value: rest, label: `By ${label.toLowerCase()}` })),
  ];
}

/** The address with other parts; an empty text removes one. */
export const withParts = (before: ListSearch, parts: ListSearch): ListSearch =>
  Object.fromEntries(Object.entries({ ...before, ...parts }).filter(([, text]) => text !== ''));

/** The address of a view, with the columns of the one before. */
export const inView = (view: ListView | undefined, { cols = '' }: ListSearch): ListSearch =>
  withParts(view?.search ?? {}, { cols });

/** Whether the address narrows its view. */
export const isNarrowed = (search: ListSearch, view: ListView | undefined): boolean =>
  Object.entries(search).some(
    ([name, text]) => !['view', 'sort', 'cols'].includes(name) && view?.search[name] !== text,
  );

/** The query of a list's address, in one order, so that two of the same list are equal. */
export const searchText = (search: ListSearch): string =>
  new URLSearchParams(Object.entries(search).sort(([one], [other]) => (one < other ? -1 : 1))).toString();

export const searchIn = (text: string): ListSearch => Object.fromEntries(new URLSearchParams(text));
