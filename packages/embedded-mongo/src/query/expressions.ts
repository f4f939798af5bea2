import { Context, evalExpr } from 'mingo/core';
import * as accumulators from 'mingo/operators/accumulator';
import * as operators from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { keyString } from '../documents/key-string';
import { typeTags } from '../documents/type-tags';
import { CommandError } from '../errors/command-error';

type Operator = (document: unknown, operand: unknown, options: Options) => unknown;

/** Compares values as expressions do: in BSON's comparison order across all types, with a missing field below null. */
export function compareInExpression(a: unknown, b: unknown): number {
  const [left, right] = [a, b].map((value) => (value === undefined ? typeTags.undefined : keyString(value)));
  return left === right ? 0 : (left as string) < (right as string) ? -1 : 1;
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** The least (`side` -1) or greatest (`side` 1) value that is not null or missing. Null if there is none. */
export function extremeOf(values: readonly unknown[], side: -1 | 1): unknown {
  let best: unknown = null;
  for (const value of values) {
    if (isMissing(value)) continue;
    if (best === null || compareInExpression(value, best) * side > 0) best = value;
  }
  return best;
}

const comparison =
  (name: string, result: (order: number) => unknown): Operator =>
  (document, operand, options) => {
    if (!Array.isArray(operand) || operand.length !== 2) {
      const given = Array.isArray(operand) ? operand.length : 1;
      throw new CommandError('Location16020', `Expression ${name} takes exactly 2 arguments. ${given} were passed in.`);
    }
    const [a, b] = evalExpr(document, operand as never, options) as unknown[];
    return result(compareInExpression(a, b));
  };

const $in: Operator = (document, operand, options) => {
  const [wanted, list] = evalExpr(document, operand, options) as unknown[];
  if (!Array.isArray(list)) throw new CommandError('Location40081', '$in requires an array as a second argument');
  return list.some((item) => compareInExpression(item, wanted) === 0);
};

const logical =
  (result: (values: readonly unknown[]) => boolean): Operator =>
  (document, operand, options) =>
    result([operand].flat().map((one) => evalExpr(document as never, one as never, options)));

const extreme =
  (side: -1 | 1): Operator =>
  (values, operand, options) => {
    const all =
      operand === null ? values : (values as unknown[]).map((one) => evalExpr(one as never, operand as never, options));
    return extremeOf(all as unknown[], side);
  };

/** The value of a field path, which starts at the document or at a variable. */
const $field: Operator = (document, operand, options) => {
  const { variable, path } = operand as FieldPath;
  const { root } = (options as PreparedOptions).local;
  return fieldAt(variable === undefined ? root : evalExpr(document, variable, options), path);
};

interface FieldPath {
  /** Its name, including `$$`. */
  readonly variable?: string;
  readonly path: readonly string[];
}

/** Replaces field paths by `$field`, since mingo's paths pass through arrays within arrays and MongoDB's do not. */
function withFieldPaths(expression: unknown): unknown {
  if (typeof expression === 'string' && expression.startsWith('$')) {
    const [first = '', ...path] = expression.split('.');
    if (!first.startsWith('$$')) return { $field: { path: [first.slice(1), ...path] } };
    return path.length === 0 ? expression : { $field: { variable: first, path } };
  }
  if (Array.isArray(expression)) return expression.map(withFieldPaths);
  if (!isDocument(expression) || '$literal' in expression) return expression;
  return Object.fromEntries(Object.entries(expression).map(([name, value]) => [name, withFieldPaths(value)]));
}

/** mingo's operators. The ones replaced here compare values and follow paths by MongoDB's rules. */
const context = Context.init({
  accumulator: { ...accumulators, $min: extreme(-1), $max: extreme(1) },
  expression: {
    ...operators,
    $cmp: comparison('$cmp', (order) => order),
    $eq: comparison('$eq', (order) => order === 0),
    $ne: comparison('$ne', (order) => order !== 0),
    $gt: comparison('$gt', (order) => order > 0),
    $gte: comparison('$gte', (order) => order >= 0),
    $lt: comparison('$lt', (order) => order < 0),
    $lte: comparison('$lte', (order) => order <= 0),
    $in,
    $and: logical((values) => values.every(isTruthy)),
    $or: logical((values) => values.some(isTruthy)),
    $not: logical(([value]) => !isTruthy(value)),
    $field,
    // Returns mingo's prepared options. Reusing them avoids a copy of its operators for each document.
    $options: (_document: unknown, _operand: unknown, options: unknown) => options,
  },
});

interface PreparedOptions extends Options {
  readonly local: { readonly root: unknown };
  update(locals: Document): PreparedOptions;
}

/**
 * Evaluates an expression on a plain document. A bare field path reads `typed` if given, to keep the value's BSON type.
 */
export type Evaluate = (document: Document, typed?: Document) => unknown;

/** Compiles an aggregation expression. Its value is undefined for a missing field. */
export function evaluatorOf(expression: unknown, variables: Document = {}): Evaluate {
  if (typeof expression === 'string' && expression.startsWith('$') && !expression.startsWith('$$')) {
    const path = expression.slice(1).split('.');
    return (document, typed = document) => fieldAt(typed, path);
  }
  if (typeof expression !== 'object' || expression === null)
    return typeof expression === 'string' && expression.startsWith('$$')
      ? compiled(expression, variables)
      : () => expression;
  checkOperators(expression);
  return compiled(expression, variables);
}

function compiled(expression: unknown, variables: Document): Evaluate {
  const options = evalExpr({}, { $options: {} }, {
    scriptEnabled: false,
    context,
    variables,
  } as unknown as Options) as PreparedOptions;
  const prepared = withFieldPaths(expression);
  return (document) => evalExpr(document, prepared, options.update({ root: document }));
}

/** Throws on unknown operators at compile time, so that they are reported even if there is no document. */
function checkOperators(expression: unknown): void {
  if (Array.isArray(expression)) expression.forEach(checkOperators);
  if (!isDocument(expression)) return;
  const names = Object.keys(expression);
  const [name = ''] = names;
  if (name === '$literal') return;
  if (name.startsWith('$')) {
    if (names.length > 1)
      throw new CommandError('Location15983', 'An object representing an expression must have exactly one field');
    if (!(name in operators) && !(name in accumulators))
      throw new CommandError('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  }
  Object.values(expression).forEach(checkOperators);
}

/** The value of a field path. A path through an array gives the values of the array's documents. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (isDocument(value)) return Object.hasOwn(value, part) ? fieldAt(value[part], rest) : undefined;
  if (!Array.isArray(value)) return undefined;
  return value
    .filter(isDocument)
    .map((item) => fieldAt(item, path))
    .filter((item) => item !== undefined);
}

/** False for a missing value, null, false and zero of any numeric type; true for any other value. */
export const isTruthy = (value: unknown): boolean =>
  !isMissing(value) && value !== false && !(value === 0 || keyString(value) === keyString(0));
