import { BSONRegExp, ObjectId } from 'bson';
import type { Document } from '../documents/document';
import { equalValues } from '../documents/key-string';
import { CommandError } from '../errors/command-error';
import { isOperatorDocument, parseFilter, usesExpression } from '../query/filter-tree';
import { slotsAt } from './slots';
import type { Update } from './update';

const noPositions = {
  position: () => 0,
  chooses: () => false,
};

/** Refuses `$expr` in the filter of an upsert. */
export function checkUpsertFilter(filter: Document): void {
  if (usesExpression(parseFilter(filter)))
    throw new CommandError('QueryFeatureNotAllowed', '$expr is not allowed in the query predicate for an upsert');
}

/** The document an upsert inserts: the filter's equalities (with typed values), then the update. `_id` is first. */
export function upsertedDocument(filter: Document, update: Update): Document {
  const base: Document = {};
  const taken: string[] = [];
  // MongoDB creates these fields in the order of their paths.
  for (const [path, value] of equalities(filter).sort(([a], [b]) => Number(a > b) - Number(a < b))) {
    if (update.replaces && path !== '_id') continue;
    const other = taken.find((one) => `${one}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${one}.`));
    if (other !== undefined)
      throw new CommandError(
        'NotSingleValueField',
        `cannot infer query fields to set, both paths '${path}' and '${other}' are matched`,
      );
    taken.push(path);
    for (const slot of slotsAt(base, path, 'create', noPositions)) slot.set(value);
  }
  const { _id: id, ...rest } = update.apply(base, true);
  return { _id: id ?? new ObjectId(), ...rest };
}

/** The paths that the filter requires to equal a value, with that value. */
function equalities(filter: Document): [string, unknown][] {
  return Object.entries(filter).flatMap(([path, condition]): [string, unknown][] => {
    if (path === '$and' || (path === '$or' && (condition as unknown[]).length === 1))
      return (condition as Document[]).flatMap(equalities);
    if (path.startsWith('$')) return [];
    const values = isOperatorDocument(condition) ? equalTo(condition) : [condition];
    return values.filter((value) => !(value instanceof BSONRegExp)).map((value) => [path, value]);
  });
}

/** The value that all are equal to, if there is one. */
const only = (values: readonly unknown[]): unknown[] =>
  values.every((value) => equalValues(value, values[0])) ? values.slice(0, 1) : [];

const equalTo = (operators: Document): unknown[] =>
  Object.entries(operators).flatMap(([name, operand]): unknown[] => {
    if (name === '$eq') return [operand];
    if (name === '$all') return (operand as unknown[]).filter((one) => !isOperatorDocument(one));
    return name === '$in' ? only(operand as unknown[]) : [];
  });
