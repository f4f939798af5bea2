import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { compareValues, equalValues } from '../documents/key-string';
import { toPlain } from '../documents/plain-value';
import { CommandError } from '../errors/command-error';
import { isOperatorDocument } from '../query/filter-tree';
import { createMatcher } from '../query/matcher';
import { parseSort, sortKeyOf } from '../query/sort';
import type { ErrorName } from '../errors/error-codes';
import type { UpdateOperator } from './operator';
import type { Slot } from './slots';

/** The array of a field, or a new one when the field is missing. */
function arrayOf(slot: Slot, path: string, refusal: ErrorName = 'BadValue'): unknown[] {
  const current = slot.get();
  if (current === undefined) return [];
  if (Array.isArray(current)) return current as unknown[];
  throw new CommandError(refusal, `The field '${path}' must be an array but is not`);
}

function eachOf(operand: unknown, operator: string): unknown[] | undefined {
  if (!isDocument(operand) || !('$each' in operand)) return undefined;
  if (Array.isArray(operand['$each'])) return operand['$each'] as unknown[];
  throw new CommandError('BadValue', `The argument to $each in ${operator} must be an array`);
}

const pushModifiers = new Set(['$each', '$position', '$slice', '$sort']);

const $push: UpdateOperator = {
  reach: 'create',
  apply(slot, operand, { path }) {
    const each = eachOf(operand, '$push');
    const array = [...arrayOf(slot, path)];
    if (!each) {
      slot.set([...array, operand]);
      return;
    }
    const modifiers = operand as Document;
    const unknown = Object.keys(modifiers).find((name) => !pushModifiers.has(name));
    if (unknown !== undefined) throw new CommandError('BadValue', `Unrecognized clause in $push: ${unknown}`);
    array.splice(whole(modifiers, '$position') ?? array.length, 0, ...each);
    const sorted = '$sort' in modifiers ? sortedBy(array, toPlain(modifiers['$sort'])) : array;
    slot.set(sliced(sorted, whole(modifiers, '$slice')));
  },
};

function whole(modifiers: Document, name: string): number | undefined {
  const value = toPlain(modifiers[name]);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new CommandError('BadValue', `The value for ${name} must be an integer value`);
}

function sortedBy(array: readonly unknown[], order: unknown): unknown[] {
  if (order === 1 || order === -1) return [...array].sort((a, b) => compareValues(a, b) * order);
  const keyOf = sortKeyOf(parseSort(order));
  return array
    .map((item) => ({ item, key: keyOf(isDocument(item) ? item : {}) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item);
}

function sliced(array: unknown[], count: number | undefined): unknown[] {
  if (count === undefined) return array;
  if (count === 0) return [];
  return count > 0 ? array.slice(0, count) : array.slice(count);
}

const $addToSet: UpdateOperator = {
  reach: 'create',
  apply(slot, operand, { path }) {
    const array = [...arrayOf(slot, path)];
    for (const item of eachOf(operand, '$addToSet') ?? [operand]) {
      if (!array.some((existing) => equalValues(existing, item))) array.push(item);
    }
    slot.set(array);
  },
};

/** Removes the elements that pass the test. A missing field stays missing. */
function without(slot: Slot, path: string, test: (item: unknown) => boolean): void {
  if (slot.get() === undefined) return;
  slot.set(arrayOf(slot, path).filter((item) => !test(item)));
}

/**
 * Selects the elements that `$pull` removes. A document without operators is a filter for document elements. Operators
 * and regular expressions test the element itself. Any other value must equal it.
 */
function unwanted(operand: unknown): (item: unknown) => boolean {
  const condition = toPlain(operand);
  if (isDocument(condition) && (!isOperatorDocument(condition) || '$not' in condition)) {
    const matcher = createMatcher(condition);
    return (item) => isDocument(item) && matcher.matches(toPlain(item) as Document);
  }
  if (!isDocument(condition) && !(condition instanceof RegExp)) return (item) => equalValues(item, operand);
  const matcher = createMatcher({ value: condition });
  return (item) => matcher.matches({ value: toPlain(item) });
}

const $pull: UpdateOperator = {
  reach: 'find',
  check: (operand) => void unwanted(operand),
  apply(slot, operand, { path }) {
    without(slot, path, unwanted(operand));
  },
};

const $pullAll: UpdateOperator = {
  reach: 'find',
  apply(slot, operand, { path }) {
    if (!Array.isArray(operand)) throw new CommandError('BadValue', '$pullAll requires an array argument');
    without(slot, path, (item) => operand.some((unwanted) => equalValues(item, unwanted)));
  },
};

const $pop: UpdateOperator = {
  reach: 'find',
  apply(slot, operand, { path }) {
    const end = toPlain(operand);
    if (end !== 1 && end !== -1) throw new CommandError('FailedToParse', '$pop expects 1 or -1');
    if (slot.get() === undefined) return;
    const array = arrayOf(slot, path, 'TypeMismatch');
    slot.set(end === 1 ? array.slice(0, -1) : array.slice(1));
  },
};

export const arrayOperators: Readonly<Record<string, UpdateOperator>> = { $push, $addToSet, $pull, $pullAll, $pop };
