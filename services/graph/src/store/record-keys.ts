import { choicesOf, valuesOf } from '../record-types/choices';
import type { ItsmRecord } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import type { Values } from '@itsm/shared/declared/values';
import { positive, sharedAs } from './record-selection';
import type { Selection } from './record-selection';

/** Numbers of records by key. */
export type Tally = Readonly<Record<string, number>>;

const everyRecord = 'all';
/** The values of choices are texts and flags, or null. */
const keyOf = (name: string, value: unknown): string =>
  `${name}:${typeof value === 'string' || typeof value === 'boolean' ? value : ''}`;

/** The fields by whose values records are counted. */
export const countedBy = (type: RecordType): string[] => choicesOf(type).map(({ name }) => name);

/** The keys of the declared values of each choice. Every new record needs them, so they are made once. */
const keysOfTypes = new WeakMap<RecordType, readonly (readonly [name: string, keys: ReadonlyMap<unknown, string>])[]>();

function keysOfChoices(type: RecordType): NonNullable<ReturnType<(typeof keysOfTypes)['get']>> {
  const known = keysOfTypes.get(type);
  if (known) return known;
  const made = choicesOf(type).map((choice) => {
    const keys = valuesOf(choice).map((value) => [value, keyOf(choice.name, value)] as const);
    return [choice.name, new Map<unknown, string>(keys)] as const;
  });
  keysOfTypes.set(type, made);
  return made;
}

/** The keys under which a record is counted: one for all records, and one for its value of each choice. */
export const keysOf = (type: RecordType, values: Values): string[] => [
  everyRecord,
  ...keysOfChoices(type).map(([name, keys]) => {
    const value = values[name] ?? null;
    return keys.get(value) ?? keyOf(name, value);
  }),
];

/** The keys of a record: one that is not active is counted under none. */
export const keysOfRecord = (type: RecordType, { values, aside }: Pick<ItsmRecord, 'values' | 'aside'>): string[] =>
  aside ? [] : keysOf(type, values);

export const sameKeys = (one: readonly string[] | undefined, other: readonly string[]): boolean =>
  one?.length === other.length && one.every((key, index) => key === other[index]);

/** The choice and the keys that together count a selection; undefined when no keys do. */
export interface CountedSelection {
  /** Undefined when all records are counted. */
  readonly field: string | undefined;
  readonly keys: readonly string[];
}

/** All records of an account, or those with some values of one choice, are counted by keys. */
export function countedSelection(type: RecordType, selection: Selection): CountedSelection | undefined {
  const { reach, conditions, words, states } = selection;
  const isShared = reach.partners.length > 0 && sharedAs(type).length > 0;
  if (reach.who !== 'everybody' || isShared || words || states) return undefined;
  const [first] = conditions;
  if (!first) return { field: undefined, keys: [everyRecord] };
  const choice = choicesOf(type).find(({ name }) => name === first.property);
  if (!choice || conditions.some(({ property }) => property !== choice.name)) return undefined;
  const wanted = conditions.map((condition) => {
    const found = positive(type, condition);
    return 'in' in found ? found.in : undefined;
  });
  const declared: readonly unknown[] = valuesOf(choice);
  // Other values are found in the index, as the store compares them.
  if (!wanted.every((values) => values?.every((value) => declared.includes(value)))) return undefined;
  const common = declared.filter((value) => wanted.every((values) => values?.includes(value as never)));
  return { field: choice.name, keys: common.map((value) => keyOf(choice.name, value)) };
}

/** The tally after records have moved from the one keys to the other. */
export function moved(tally: Tally, moves: readonly Move[]): Tally {
  const numbers: Record<string, number> = { ...tally };
  const add = (keys: readonly string[], by: number): void =>
    keys.forEach((key) => (numbers[key] = (numbers[key] ?? 0) + by));
  for (const { from, to } of moves) {
    add(from, -1);
    add(to, 1);
  }
  return Object.fromEntries(Object.entries(numbers).filter(([, number]) => number !== 0));
}

export interface Move {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The keys whose numbers differ. */
export const differences = (one: Tally, other: Tally): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => (one[key] ?? 0) !== (other[key] ?? 0));
