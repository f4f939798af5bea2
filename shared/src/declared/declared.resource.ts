import { stampedFilters } from '../api/rest/record-fields';
import type { FilterField, Resource } from '../api/rest/resource';
import { presentTime } from '../api/rest/timestamp';
import { isStored } from './language';
import type { Declaration, DerivedField, StoredField } from './language';
import type { DerivedOf, RecordOf } from './record-of';
import { propertyOf, restName } from './names';
import { memberOf } from './read-input';
import { shownOf } from './setting-kinds';

/** A record as edges present it. */
export type Presentable<D extends Declaration> = RecordOf<D> & {
  readonly id: number | string;
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
};

/**
 * What the derived fields show, in the names and types of GraphQL; REST's are made from it. `view` is the request's or
 * the service's context.
 */
export type Derivations<D extends Declaration, T, V> = Readonly<Record<DerivedOf<D>, (record: T, view: V) => unknown>>;

/** Resolvers of the derived fields. */
export const derivedResolvers = <N extends string, T, V>(
  derived: Readonly<Record<N, (record: T, view: V) => unknown>>,
  view: V,
): Readonly<Record<string, (record: T) => unknown>> =>
  Object.fromEntries(
    Object.entries<(record: T, view: V) => unknown>(derived).map(([name, derive]) => [
      name,
      (record: T) => derive(record, view),
    ]),
  );

/** What every view knows. */
interface View<Id> {
  readonly nodeIdOf: (graphqlName: string, id: Id) => string;
}

/** The type of the values by which REST filters a field of each kind. */
export const filterTypes = {
  text: 'string',
  choice: 'string',
  account: 'string',
  flag: 'boolean',
  integer: 'integer',
  person: 'integer',
  people: 'integer',
  record: 'integer',
  timestamp: 'time',
  date: 'time',
  reference: 'integer',
  custom: 'string',
  choices: 'string',
  texts: 'string',
  shape: 'string',
  secret: 'string',
  standing: 'boolean',
} as const satisfies Record<StoredField['kind'], FilterField['type']>;

/** Fields that REST shows otherwise than they are stored, such as references: by name, what is shown. */
type Shown<T, V> = Readonly<Record<string, (record: T, view: V) => unknown>>;

/** The member of an answer that shows the field. */
export const shownName = (field: StoredField | DerivedField): string =>
  restName(field.kind === 'secret' ? field.has : field.name);

/** The REST resource of a type: fields, filters and orders. */
export function declaredResource<D extends Declaration, T extends Presentable<D>, V extends View<T['id']>>(
  type: D,
  derived: Derivations<D, T, V>,
  shown: Shown<T, V> = {},
): Resource<T, V> {
  const deriving: Shown<T, V> = { ...derived, ...shown };
  const visible = type.fields.filter((field) => field.kind === 'derived' || isStored(field));
  const declared = visible.map((field) => {
    const derive = deriving[field.name];
    if (!derive && isStored(field) && isPlain(field)) return [shownName(field), plainOf<T>(field)] as const;
    const shownBy = derive ?? (isStored(field) ? keptOf(field) : () => null);
    return [shownName(field), (record: T, view: V) => toRest(shownBy(record, view))] as const;
  });
  const fields = {
    id: ({ id }: T) => id,
    nodeID: (record: T, { nodeIdOf }: V) => nodeIdOf(type.graphqlName, record.id as T['id']),
    ...(Object.fromEntries(declared) as Record<string, (record: T, view: V) => unknown>),
    ...(type.isTimeless ? {} : stamps),
  };
  const rare = type.fields.filter((field) => field.shown === 'on request').map(shownName);
  const stored = type.fields.filter(isStored);
  const property = (name: string) => name as keyof T & string;
  return {
    fields,
    collectionFields: Object.keys(fields).filter((name) => !rare.includes(name)),
    sortable: {
      id: 'id',
      ...Object.fromEntries(
        stored.filter(({ sortable }) => sortable).map((one) => [shownName(one), property(one.name)]),
      ),
      ...(type.isTimeless ? {} : { created_at: property('createdAt'), updated_at: property('updatedAt') }),
    },
    filterable: {
      id: { property: 'id', type: type.isAccount || type.within ? 'string' : 'integer' },
      ...Object.fromEntries(
        stored
          .filter(({ filterable }) => filterable)
          .map((one) => [memberOf(one), { property: property(propertyIn(one)), type: filterTypes[one.kind] }]),
      ),
      ...Object.fromEntries(
        type.fields
          .filter((field) => field.kind === 'derived' && field.filterable)
          .map(({ name }) => [restName(name), { property: property(name), type: 'string' as const }]),
      ),
      ...(type.isTimeless ? {} : stampedFilters),
    },
  };
}

/** Of a standing the flag, by which the repository filters. */
const propertyIn = (field: StoredField): string => (field.kind === 'standing' ? field.name : propertyOf(field));

const stamps: Record<string, (record: { readonly createdAt?: Date; readonly updatedAt?: Date }) => unknown> = {
  created_at: ({ createdAt }) => toRest(createdAt),
  updated_at: ({ updatedAt }) => toRest(updatedAt),
};

/** Kinds of which REST shows what is kept: looking at each value again costs more than reading it. */
const plainKinds: readonly StoredField['kind'][] = ['text', 'choice', 'account', 'flag', 'integer'];
const isPlain = (field: StoredField): boolean =>
  plainKinds.includes(field.kind) && !(field.kind === 'text' && field.mask !== undefined);

function plainOf<T extends object>(field: StoredField): (record: T) => unknown {
  const property = propertyOf(field) as keyof T;
  return (record) => record[property] ?? null;
}

/** A reference is shown by its name; see `Shown`. */
function keptOf(field: StoredField): (record: object) => unknown {
  const property = propertyOf(field);
  return (record) => shownOf(field, (record as Readonly<Record<string, unknown>>)[property] ?? null);
}

/** Names of members in REST, by those of GraphQL. They are those of declarations and shapes, so they are few. */
const restNames = new Map<string, string>();
function nameInRest(name: string): string {
  const known = restNames.get(name);
  if (known !== undefined) return known;
  const made = restName(name);
  restNames.set(name, made);
  return made;
}

/** A value of GraphQL as REST shows it: names in snake case, times as texts. Lists call it for every value in a value. */
export function toRest(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (value instanceof Date) return presentTime(value);
  if (Array.isArray(value)) return value.map(toRest);
  const members = value as Readonly<Record<string, unknown>>;
  const shown: Record<string, unknown> = {};
  for (const name of Object.keys(members)) shown[nameInRest(name)] = toRest(members[name]);
  return shown;
}
