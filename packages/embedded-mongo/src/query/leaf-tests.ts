import { Long } from 'bson';
import { isDocument } from '../documents/document';
import { keyString } from '../documents/key-string';
import { tagOf, typeTags } from '../documents/type-tags';
import type { Comparison, FilterTree, Leaf } from './filter-tree';

export type ValueTest = (value: unknown) => boolean;
type Compile = (tree: FilterTree) => (document: unknown) => boolean;

/** Compiles a condition to a test of one value. `matches` compiles the filters of `$elemMatch`. */
export function testOf(leaf: Leaf, matches: Compile): ValueTest {
  switch (leaf.kind) {
    case 'eq':
      return equalTo(leaf.operand);
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return ordered(leaf.kind, leaf.operand);
    case 'in':
      return oneOf(leaf.operands);
    case 'regex':
      return regexTest(leaf.pattern);
    case 'exists':
      return (value) => value !== undefined;
    case 'type':
      return (value) => leaf.types.some(({ isOf }) => isOf(value));
    case 'mod':
      return (value) => remainderOf(value, leaf.divisor) === leaf.remainder;
    case 'size':
      return (value) => Array.isArray(value) && value.length === leaf.size;
    case 'elementDocument':
    case 'elementValue': {
      const test = elementTestOf(leaf, matches);
      return (value) => Array.isArray(value) && value.some(test);
    }
  }
}

/** Compiles `$elemMatch` to a test of one array element. */
export function elementTestOf(
  { kind, condition }: Extract<Leaf, { kind: 'elementDocument' | 'elementValue' }>,
  matches: Compile,
): ValueTest {
  if (kind === 'elementValue') {
    const test = valueTestOf(condition, matches);
    return (item) => test(item);
  }
  const test = matches(condition);
  return (item) => isContainer(item) && test(asDocument(item));
}

const isContainer = (item: unknown): boolean => isDocument(item) || Array.isArray(item);
/** An array within an array counts as a document whose field names are positions. */
const asDocument = (item: unknown): unknown => (Array.isArray(item) ? { ...(item as unknown[]) } : item);

/** Compiles a condition with empty paths to a test of the value itself. */
function valueTestOf(tree: FilterTree, matches: Compile): ValueTest {
  switch (tree.kind) {
    case 'and': {
      const tests = tree.branches.map((branch) => valueTestOf(branch, matches));
      return (value) => tests.every((test) => test(value));
    }
    case 'not': {
      const test = valueTestOf(tree.branch, matches);
      return (value) => !test(value);
    }
    case 'never':
      return () => false;
    case 'or':
    case 'nor':
    case 'expression':
      throw new Error(`'${tree.kind}' is not a condition on a value`);
    default:
      return testOf(tree, matches);
  }
}

/** Compiles an equality to a test that needs a single comparison for common scalars. */
export function equalTo(operand: unknown): ValueTest {
  if (typeof operand === 'string' || typeof operand === 'boolean') return (value) => value === operand;
  const tag = tagOf(operand);
  const key = keyString(operand);
  if (tag === typeTags.null) return (value) => value === null || value === undefined;
  return (value) => value === operand || (value !== undefined && tagOf(value) === tag && keyString(value) === key);
}

function oneOf(operands: readonly unknown[]): ValueTest {
  const patterns = operands.filter((item) => item instanceof RegExp).map(regexTest);
  const strings = new Set(operands.filter((item) => typeof item === 'string'));
  const keys = new Set(operands.filter((item) => typeof item !== 'string').map(keyString));
  return (value) =>
    typeof value === 'string'
      ? strings.has(value) || patterns.some((matches) => matches(value))
      : keys.size > 0 && keys.has(keyString(value));
}

const comparisons: Readonly<Record<Exclude<Comparison, 'eq'>, (value: string, operand: string) => boolean>> = {
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
};

/** A comparison holds only for values of the operand's canonical type, unless the operand is MinKey or MaxKey. */
function ordered(kind: Exclude<Comparison, 'eq'>, operand: unknown): ValueTest {
  const holds = comparisons[kind];
  const tag = tagOf(operand);
  const key = keyString(operand);
  if (tag === typeTags.minKey || tag === typeTags.maxKey)
    return (value) => tagOf(value) !== tag || holds(keyString(value), key);
  if (isNaN(operand)) return (value) => isNaN(value) && holds(key, key);
  return (value) => tagOf(value) === tag && !isNaN(value) && holds(keyString(value), key);
}

const isNaN = (value: unknown): boolean => Number.isNaN((Object(value) as object).valueOf());

/** Matches strings and equal patterns. The flags `g` and `y` are removed because they make a RegExp stateful. */
export function regexTest(pattern: RegExp): ValueTest {
  const stateless = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  return (value) =>
    typeof value === 'string' ? stateless.test(value) : value instanceof RegExp && String(value) === String(pattern);
}

function remainderOf(value: unknown, divisor: number): number | undefined {
  if (Long.isLong(value)) return value.modulo(Long.fromNumber(divisor)).toNumber();
  const number: unknown = tagOf(value) === typeTags.number ? (value as object).valueOf() : undefined;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return (Math.trunc(number) % divisor) + 0;
}
