import { keyString } from '../documents/key-string';
import { valuesAt } from '../documents/paths';
import { tagOf, typeTags } from '../documents/type-tags';
import { CommandError } from '../errors/command-error';

type Predicate = (document: unknown) => boolean;
/** The form in which mingo asks for a query operator. */
export type PredicateFactory = (selector: string, operand: unknown) => Predicate;
type ValueTest = (value: unknown) => boolean;

/** Holds when the test holds for a value at the path, or for an element of an array there. */
export function anyValue(selector: string, test: ValueTest): Predicate {
  const path = selector.split('.');
  return (document) =>
    valuesAt(document, path).some((value) => test(value) || (Array.isArray(value) && value.some(test)));
}

/** A test for equality with one operand, prepared so that the usual scalars cost one comparison. */
export function equalTo(operand: unknown): ValueTest {
  if (typeof operand === 'string' || typeof operand === 'boolean') return (value) => value === operand;
  const tag = tagOf(operand);
  const key = keyString(operand);
  if (tag === typeTags.null) return (value) => value === null || value === undefined;
  return (value) => value === operand || (tagOf(value) === tag && keyString(value) === key);
}

function oneOf(operand: unknown): ValueTest {
  if (!Array.isArray(operand)) throw new CommandError('BadValue', '$in needs an array');
  const patterns = operand.filter((item) => item instanceof RegExp).map(regexTest);
  const strings = new Set(operand.filter((item) => typeof item === 'string'));
  const keys = new Set(operand.filter((item) => typeof item !== 'string').map(keyString));
  return (value) =>
    typeof value === 'string'
      ? strings.has(value) || patterns.some((matches) => matches(value))
      : keys.size > 0 && keys.has(keyString(value));
}

/** A comparison holds between values of one canonical type only, except against MinKey and MaxKey. */
function ordered(operand: unknown, holds: (value: string, operand: string) => boolean): ValueTest {
  const tag = tagOf(operand);
  const key = keyString(operand);
  const crossesTypes = tag === typeTags.minKey || tag === typeTags.maxKey;
  if (typeof operand === 'number' && Number.isNaN(operand))
    return (value) => keyString(value) === key && holds(key, key);
  return (value) => {
    if (!crossesTypes && tagOf(value) !== tag) return false;
    return !(typeof value === 'number' && Number.isNaN(value)) && holds(keyString(value), key);
  };
}

/** A test for strings and equal patterns; the `g` flag would make it remember where it stopped. */
export function regexTest(pattern: unknown): ValueTest {
  const { source, flags } = new RegExp(pattern as RegExp | string);
  const stateless = new RegExp(source, flags.replace(/[gy]/g, ''));
  return (value) =>
    typeof value === 'string' ? stateless.test(value) : value instanceof RegExp && String(value) === String(pattern);
}

const not =
  (factory: PredicateFactory): PredicateFactory =>
  (selector, operand) => {
    const predicate = factory(selector, operand);
    return (document) => !predicate(document);
  };

const $eq: PredicateFactory = (selector, operand) => anyValue(selector, equalTo(operand));
const $in: PredicateFactory = (selector, operand) => anyValue(selector, oneOf(operand));

export const comparisonPredicates: Readonly<Record<string, PredicateFactory>> = {
  $eq,
  $ne: not($eq),
  $in,
  $nin: not($in),
  $gt: (selector, operand) =>
    anyValue(
      selector,
      ordered(operand, (a, b) => a > b),
    ),
  $gte: (selector, operand) =>
    anyValue(
      selector,
      ordered(operand, (a, b) => a >= b),
    ),
  $lt: (selector, operand) =>
    anyValue(
      selector,
      ordered(operand, (a, b) => a < b),
    ),
  $lte: (selector, operand) =>
    anyValue(
      selector,
      ordered(operand, (a, b) => a <= b),
    ),
  $regex: (selector, operand) => anyValue(selector, regexTest(operand)),
};
