import { Long } from 'bson';
import { equalValues } from '../documents/key-string';
import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { readTypes } from './bson-types';
import type { BsonType } from './bson-types';

export type Comparison = 'eq' | 'lt' | 'lte' | 'gt' | 'gte';

/** A condition on the values of one path. */
export type Leaf =
  | { readonly kind: Comparison; readonly path: string; readonly operand: unknown }
  | { readonly kind: 'in'; readonly path: string; readonly operands: readonly unknown[] }
  | { readonly kind: 'regex'; readonly path: string; readonly pattern: RegExp }
  | { readonly kind: 'exists'; readonly path: string }
  | { readonly kind: 'type'; readonly path: string; readonly types: readonly BsonType[] }
  | { readonly kind: 'mod'; readonly path: string; readonly divisor: number; readonly remainder: number }
  | { readonly kind: 'size'; readonly path: string; readonly size: number }
  /** `$elemMatch` with a filter: some element of the array is a document that matches. */
  | { readonly kind: 'elementDocument'; readonly path: string; readonly condition: FilterTree }
  /** `$elemMatch` with operators: the condition holds for some element of the array. Its paths are empty. */
  | { readonly kind: 'elementValue'; readonly path: string; readonly condition: FilterTree };

/** A filter as MongoDB normalizes it before planning: no `$ne`, no `$all`, no `$and` or `$or` of one branch. */
export type FilterTree =
  | Leaf
  | { readonly kind: 'and' | 'or' | 'nor'; readonly branches: readonly FilterTree[] }
  | { readonly kind: 'not'; readonly branch: FilterTree }
  | { readonly kind: 'expression'; readonly expression: unknown }
  | { readonly kind: 'never' };

/** True if the filter contains an `$expr`. */
export const usesExpression = (tree: FilterTree): boolean =>
  tree.kind === 'expression' ||
  ('branches' in tree && tree.branches.some(usesExpression)) ||
  ('branch' in tree && usesExpression(tree.branch));

const bad = (message: string): CommandError => new CommandError('BadValue', message);

/** Parses a filter. Throws a CommandError, mostly BadValue, that names the wrong or unknown part. */
export function parseFilter(filter: Document): FilterTree {
  return allOf(Object.entries(filter).flatMap(([name, condition]) => parseEntry(name, condition)));
}

/** The conjunction of the branches. Nested conjunctions are flattened, and a single branch stays as it is. */
function allOf(branches: readonly FilterTree[]): FilterTree {
  const flat = branches.flatMap((branch) => (branch.kind === 'and' ? branch.branches : [branch]));
  return flat.length === 1 && flat[0] ? flat[0] : { kind: 'and', branches: flat };
}

function parseEntry(name: string, condition: unknown): FilterTree[] {
  if (!name.startsWith('$')) return parseField(name, condition);
  switch (name) {
    case '$and':
      return [allOf(parseBranches(name, condition))];
    case '$or': {
      const branches = parseBranches(name, condition);
      return branches.length === 1 ? branches : [listOf(branches) ?? { kind: 'or', branches }];
    }
    case '$nor':
      return [{ kind: 'nor', branches: parseBranches(name, condition) }];
    case '$expr':
      return [{ kind: 'expression', expression: condition }];
    case '$comment':
      return [];
    default:
      throw bad(`unknown top level operator: ${name}`);
  }
}

/** An `$or` of equalities on one path as an `$in`; undefined for any other `$or`. */
function listOf(branches: readonly FilterTree[]): FilterTree | undefined {
  const [first] = branches;
  if (first?.kind !== 'eq') return undefined;
  const operands = branches.flatMap((one) => (one.kind === 'eq' && one.path === first.path ? [one.operand] : []));
  return operands.length === branches.length ? { kind: 'in', path: first.path, operands } : undefined;
}

function parseBranches(name: string, condition: unknown): FilterTree[] {
  if (!Array.isArray(condition)) throw bad(`${name} must be an array`);
  if (condition.length === 0) throw bad('$and/$or/$nor must be a nonempty array');
  return condition.map((branch) => {
    if (!isDocument(branch)) throw bad('$or/$and/$nor entries need to be full objects');
    return parseFilter(branch);
  });
}

/** True for a document of operators, false for a value to compare with. */
export function isOperatorDocument(condition: unknown): condition is Document {
  if (!isDocument(condition)) return false;
  const [name] = Object.keys(condition);
  return name !== undefined && name.startsWith('$') && name !== '$ref' && name !== '$id';
}

function parseField(path: string, condition: unknown): FilterTree[] {
  if (isOperatorDocument(condition)) return parseOperators(path, condition);
  return [condition instanceof RegExp ? { kind: 'regex', path, pattern: condition } : equality(path, condition)];
}

function equality(path: string, operand: unknown): FilterTree {
  if (operand === undefined) throw bad('cannot compare to undefined');
  return { kind: 'eq', path, operand };
}

function parseOperators(path: string, operators: Document): FilterTree[] {
  return Object.entries(operators).flatMap(([name, operand]): FilterTree[] => {
    if (name === '$options') {
      if (operators['$regex'] === undefined) throw bad('$options needs a $regex');
      return [];
    }
    if (name === '$comment') return [];
    if (name === '$regex') return [{ kind: 'regex', path, pattern: regexOf(operand, operators['$options']) }];
    const parse = operatorParsers[name];
    if (!parse) throw bad(`unknown operator: ${name}`);
    return [parse(path, operand)];
  });
}

type OperatorParser = (path: string, operand: unknown) => FilterTree;

const compared =
  (kind: Comparison): OperatorParser =>
  (path, operand) => {
    if (operand instanceof RegExp && kind !== 'eq') throw bad("Can't have RegEx as arg to predicate over field");
    if (kind === 'eq') return equality(path, operand);
    return { kind, path, operand };
  };

const negated =
  (parse: OperatorParser): OperatorParser =>
  (path, operand) => ({ kind: 'not', branch: parse(path, operand) });

const oneOf: OperatorParser = (path, operand) => {
  if (!Array.isArray(operand)) throw bad('$in needs an array');
  if (operand.some(isOperatorDocument)) throw bad('cannot nest $ under $in');
  const [only, ...others] = operand as unknown[];
  if (operand.length === 0 || others.some((one) => !equalValues(one, only)))
    return { kind: 'in', path, operands: operand };
  return only instanceof RegExp ? { kind: 'regex', path, pattern: only } : equality(path, only);
};

const operatorParsers: Readonly<Record<string, OperatorParser>> = {
  $eq: compared('eq'),
  $lt: compared('lt'),
  $lte: compared('lte'),
  $gt: compared('gt'),
  $gte: compared('gte'),
  $ne(path, operand) {
    if (operand instanceof RegExp) throw bad("Can't have regex as arg to $ne.");
    return { kind: 'not', branch: equality(path, operand) };
  },
  $in: oneOf,
  $nin: negated(oneOf),
  $exists: (path, operand) => {
    const there: FilterTree = { kind: 'exists', path };
    return isTrue(operand) ? there : { kind: 'not', branch: there };
  },
  $type: (path, operand) => ({ kind: 'type', path, types: readTypes(operand) }),
  $mod: parseMod,
  $size: (path, operand) => ({ kind: 'size', path, size: sizeOf(operand) }),
  $not: parseNot,
  $all: parseAll,
  $elemMatch: parseElemMatch,
};

const isTrue = (value: unknown): boolean =>
  value !== false && value !== null && value !== undefined && !(isNumber(value) && Number(value) === 0);

const isNumber = (value: unknown): value is number | Long => typeof value === 'number' || Long.isLong(value);

function regexOf(operand: unknown, options: unknown): RegExp {
  if (typeof operand !== 'string' && !(operand instanceof RegExp)) throw bad('$regex has to be a string');
  if (options !== undefined && typeof options !== 'string') throw bad('$options has to be a string');
  if (typeof operand !== 'string' && operand.flags !== '' && options !== undefined)
    throw new CommandError('Location51074', 'options set in both $regex and $options');
  const source = typeof operand === 'string' ? operand : operand.source;
  const flags = options ?? (typeof operand === 'string' ? '' : operand.flags);
  const unknown = /[^imsxu]/.exec(flags)?.[0];
  if (unknown !== undefined) throw new CommandError('Location51108', `invalid flag in regex options: ${unknown}`);
  if (flags.includes('x')) throw bad("The option 'x' of $regex is not supported by this server");
  try {
    return new RegExp(source, [...new Set(flags)].join(''));
  } catch {
    throw new CommandError('Location51091', `Regular expression is invalid: ${source}`);
  }
}

function parseMod(path: string, operand: unknown): FilterTree {
  if (!Array.isArray(operand)) throw bad('malformed mod, needs to be an array');
  if (operand.length < 2) throw bad('malformed mod, not enough elements');
  if (operand.length > 2) throw bad('malformed mod, too many elements');
  const [divisor, remainder] = (operand as unknown[]).map((one) =>
    isNumber(one) && Number.isFinite(Number(one)) ? Math.trunc(Number(one)) : undefined,
  );
  if (divisor === undefined) throw bad('malformed mod, divisor not a number');
  if (remainder === undefined) throw bad('malformed mod, remainder not a number');
  if (divisor === 0) throw bad('divisor cannot be 0');
  return { kind: 'mod', path, divisor, remainder };
}

function sizeOf(operand: unknown): number {
  const size = isNumber(operand) ? Number(operand) : undefined;
  if (size === undefined || !Number.isInteger(size)) throw bad('Failed to parse $size. Expected an integer');
  if (size < 0) throw bad('Failed to parse $size. Expected a non-negative number');
  return size;
}

function parseNot(path: string, operand: unknown): FilterTree {
  if (operand instanceof RegExp) return { kind: 'not', branch: { kind: 'regex', path, pattern: operand } };
  if (!isDocument(operand)) throw bad('$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw bad('$not cannot be empty');
  return { kind: 'not', branch: allOf(parseOperators(path, operand)) };
}

function parseAll(path: string, operand: unknown): FilterTree {
  if (!Array.isArray(operand)) throw bad('$all needs an array');
  if (operand.length === 0) return { kind: 'never' };
  const elements = operand as unknown[];
  const isElemMatch = (one: unknown): one is Document => isDocument(one) && Object.keys(one)[0] === '$elemMatch';
  if (isElemMatch(elements[0])) {
    if (!elements.every(isElemMatch)) throw bad('$all/$elemMatch has to be consistent');
    return allOf(elements.map((one) => parseElemMatch(path, one['$elemMatch'])));
  }
  if (elements.some(isOperatorDocument)) throw bad('no $ expressions in $all');
  return allOf(
    elements.map((one) => (one instanceof RegExp ? { kind: 'regex', path, pattern: one } : equality(path, one))),
  );
}

const logical = new Set(['$and', '$or', '$nor', '$where']);

function parseElemMatch(path: string, operand: unknown): FilterTree {
  if (!isDocument(operand)) throw bad('$elemMatch needs an Object');
  const [name] = Object.keys(operand);
  if (isOperatorDocument(operand) && !logical.has(name ?? ''))
    return { kind: 'elementValue', path, condition: allOf(parseOperators('', operand)) };
  if ('$expr' in operand) throw bad('$expr can only be applied to the top-level document');
  return { kind: 'elementDocument', path, condition: parseFilter(operand) };
}
