import { badRequest } from '../../base/errors/app-error';
import { parseDay, parseTime, timeProblems } from '../../base/time/time-text';
import type { FilterField, Resource, SortValue } from './resource';

/** A condition on a property: one of the values, none of them, or within bounds. `null` means "no value". */
export type Condition = { readonly property: string } & (
  { readonly in: readonly SortValue[] } | { readonly notIn: readonly SortValue[] } | { readonly within: Bounds }
);

/** Whether the condition excludes values, which no index can answer. */
export const isNegated = (condition: Condition): boolean => 'notIn' in condition;

type Bound = 'gt' | 'gte' | 'lt' | 'lte';
export type Bounds = Readonly<Partial<Record<Bound, number | Date>>>;

const bounds: Readonly<Record<string, Bound>> = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' };
const range = /^(>=?|<=?)([^<>]+)(?:(>=?|<=?)([^<>]+))?$/;
/** The limit of values in one condition. */
export const mostFilterValues = 100;

/**
 * Parses `field=v`, `!v`, `a,b`, `!a,b`, `<v`, `>=a<=b`, `` (empty) and `!` (present); 400 for a value of another type.
 */
export function parseFilter<T extends { readonly id: number | string }, V>(
  resource: Resource<T, V>,
  parameters: ReadonlyMap<string, string>,
): readonly Condition[] {
  return Object.entries(resource.filterable ?? {}).flatMap(([name, field]) => {
    const text = parameters.get(name);
    return text === undefined ? [] : [parseCondition(name, field, text)];
  });
}

function parseCondition(name: string, field: FilterField, text: string): Condition {
  const { property } = field;
  if (/^[<>]/.test(text)) return { property, within: parseBounds(name, field, text) };
  return text.startsWith('!')
    ? { property, notIn: parseValues(name, field, text.slice(1)) }
    : { property, in: parseValues(name, field, text) };
}

function parseBounds(name: string, field: FilterField, text: string): Bounds {
  const [, from = '', first = '', to, second = ''] = range.exec(text) ?? [];
  const isOrdered = field.type === 'integer' || field.type === 'time';
  if (!isOrdered || from === '' || from[0] === to?.[0]) throw badRequest(`${name} cannot be filtered by ${text}`);
  const parse = (value: string) => parseValue(name, field, value) as number | Date;
  return { [bounds[from]!]: parse(first), ...(to !== undefined && { [bounds[to]!]: parse(second) }) };
}

function parseValues(name: string, field: FilterField, text: string): SortValue[] {
  if (text === '') return field.type === 'string' ? [null, ''] : [null];
  const values = text.split(',');
  if (values.length > mostFilterValues)
    throw badRequest(`${name} cannot be filtered by more than ${mostFilterValues} values`);
  return values.map((value) => parseValue(name, field, value));
}

function parseValue(name: string, { type }: FilterField, text: string): SortValue {
  const isInteger = type === 'integer' || type === 'identifier';
  if (type === 'string') return text;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (isInteger && /^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (type === 'time') return parseMoment(name, text);
  throw badRequest(`${name} must be ${isInteger ? 'an integer' : `a ${type}`}, not ${text.slice(0, 100)}`);
}

/** A time, or a day for its first moment in UTC. */
function parseMoment(name: string, text: string): Date {
  const day = parseDay(text);
  // An unescaped + of a time offset arrives as a space.
  const parsed = 'time' in day ? day : parseTime(text.replace(' ', '+'));
  if ('time' in parsed) return parsed.time;
  const what = parsed.problem === timeProblems.offset ? 'a time with an offset' : 'a time';
  throw badRequest(`${name} must be ${what}, not ${text.slice(0, 100)}`);
}

const comparable = (value: SortValue | undefined): string | number | boolean | null =>
  value instanceof Date ? value.getTime() : (value ?? null);

/** Evaluates a condition on a record in memory, with the store's semantics. */
export function fulfils(condition: Condition, record: object): boolean {
  const value = comparable((record as Record<string, SortValue | undefined>)[condition.property]);
  const isOneOf = (values: readonly SortValue[]) => values.some((one) => comparable(one) === value);
  if ('in' in condition) return isOneOf(condition.in);
  if ('notIn' in condition) return !isOneOf(condition.notIn);
  if (typeof value !== 'number') return false;
  const { gt, gte, lt, lte } = condition.within;
  return (
    (gt === undefined || value > Number(gt)) &&
    (gte === undefined || value >= Number(gte)) &&
    (lt === undefined || value < Number(lt)) &&
    (lte === undefined || value <= Number(lte))
  );
}

/** The condition as a MongoDB filter on `path`. */
export function toMongoFilter(condition: Condition, path: string): Record<string, unknown> {
  if ('in' in condition) return { [path]: { $in: condition.in } };
  if ('notIn' in condition) return { [path]: { $nin: condition.notIn } };
  const within = Object.entries(condition.within).map(([bound, value]) => [`$${bound}`, value] as const);
  return { [path]: Object.fromEntries(within) };
}
