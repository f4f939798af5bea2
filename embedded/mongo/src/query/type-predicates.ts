import { Decimal128, Long } from 'bson';
import { valuesAt } from '../documents/paths';
import { tagOf, typeTags } from '../documents/type-tags';
import { CommandError } from '../errors/command-error';
import { anyValue } from './comparison-predicates';
import type { PredicateFactory } from './comparison-predicates';

type ValueTest = (value: unknown) => boolean;

const hasTag =
  (tag: string): ValueTest =>
  (value) =>
    value !== undefined && tagOf(value) === tag;
const isInt32 = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= -0x80000000 && value <= 0x7fffffff;
const isLong = (value: unknown): boolean => Long.isLong(value) || (Number.isSafeInteger(value) && !isInt32(value));

const typeTests: readonly (readonly [number, string, ValueTest])[] = [
  [1, 'double', (value) => typeof value === 'number' && !isInt32(value)],
  [2, 'string', hasTag(typeTags.string)],
  [3, 'object', hasTag(typeTags.object)],
  [4, 'array', Array.isArray],
  [5, 'binData', hasTag(typeTags.binary)],
  [7, 'objectId', hasTag(typeTags.objectId)],
  [8, 'bool', (value) => typeof value === 'boolean'],
  [9, 'date', (value) => value instanceof Date],
  [10, 'null', (value) => value === null],
  [11, 'regex', hasTag(typeTags.regex)],
  [13, 'javascript', hasTag(typeTags.code)],
  [16, 'int', isInt32],
  [17, 'timestamp', hasTag(typeTags.timestamp)],
  [18, 'long', isLong],
  [19, 'decimal', (value) => value instanceof Decimal128],
  [-1, 'minKey', hasTag(typeTags.minKey)],
  [127, 'maxKey', hasTag(typeTags.maxKey)],
];

function testFor(type: unknown): ValueTest {
  if (type === 'number') return hasTag(typeTags.number);
  const entry = typeTests.find(([code, name]) => type === code || type === name);
  if (!entry) throw new CommandError('BadValue', `Unknown type name alias: ${String(type)}`);
  return entry[2];
}

const $type: PredicateFactory = (selector, operand) => {
  const tests = (Array.isArray(operand) ? operand : [operand]).map(testFor);
  return anyValue(selector, (value) => tests.some((test) => test(value)));
};

const $exists: PredicateFactory = (selector, operand) => {
  const path = selector.split('.');
  const wanted = operand !== false && operand !== 0 && operand !== null;
  return (document) => valuesAt(document, path).some((value) => value !== undefined) === wanted;
};

const $mod: PredicateFactory = (selector, operand) => {
  const [divisor, remainder] = Array.isArray(operand) ? operand.map(wholeNumber) : [];
  if (divisor === undefined || remainder === undefined)
    throw new CommandError('BadValue', 'malformed mod, needs an array of a divisor and a remainder');
  if (divisor === 0) throw new CommandError('BadValue', 'divisor cannot be 0');
  return anyValue(selector, (value) => isNumber(value) && remainderOf(value, divisor) === remainder);
};

const isNumber = (value: unknown): value is number | Long => Number.isFinite(value) || Long.isLong(value);

const wholeNumber = (value: unknown): number | undefined => (isNumber(value) ? Math.trunc(Number(value)) : undefined);

const remainderOf = (value: number | Long, divisor: number): number =>
  Long.isLong(value) ? value.modulo(Long.fromNumber(divisor)).toNumber() : Math.trunc(value) % divisor;

/** Operators that know the presence and the BSON type of a field. Integral doubles count as `int` or `long`. */
export const typePredicates: Readonly<Record<string, PredicateFactory>> = { $type, $exists, $mod };
