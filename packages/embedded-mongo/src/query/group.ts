import { Long } from 'bson';
import type { Document } from '../documents/document';
import { isDocument } from '../documents/document';
import { keyString } from '../documents/key-string';
import { CommandError } from '../errors/command-error';
import { compareInExpression, evaluatorOf, extremeOf } from './expressions';

type Accumulate = (values: readonly unknown[]) => unknown;

const numbersOf = (values: readonly unknown[]): number[] =>
  values.filter((value) => typeof value === 'number' || Long.isLong(value)).map(Number);
const sum = (values: readonly unknown[]): number => numbersOf(values).reduce((total, value) => total + value, 0);
const there = (values: readonly unknown[]): unknown[] => values.filter((value) => value !== undefined);

const accumulators: Readonly<Record<string, Accumulate>> = {
  $sum: sum,
  $avg: (values) => (numbersOf(values).length === 0 ? null : sum(values) / numbersOf(values).length),
  $min: (values) => extremeOf(values, -1),
  $max: (values) => extremeOf(values, 1),
  $first: (values) => values[0] ?? null,
  $last: (values) => values.at(-1) ?? null,
  $push: there,
  $addToSet: (values) => [...new Map(there(values).map((value) => [keyString(value), value])).values()],
  $count: (values) => values.length,
};

/** `$group`. The groups are in the order of their first documents. */
export function groupDocuments(spec: unknown, documents: readonly Document[], variables: Document): Document[] {
  if (!isDocument(spec)) throw new CommandError('Location15947', "a group's fields must be specified in an object");
  const { _id: id, ...others } = spec;
  if (!('_id' in spec)) throw new CommandError('Location15955', 'a group specification must include an _id');
  const groupOf = evaluatorOf(id, variables);
  const fields = Object.entries(others).map(([name, accumulator]) => readAccumulator(name, accumulator, variables));
  const groups = new Map<string, { id: unknown; documents: Document[] }>();
  for (const document of documents) {
    // A missing value groups with null.
    const value = groupOf(document) ?? null;
    const key = keyString(value);
    const group = groups.get(key) ?? { id: value, documents: [] };
    if (group.documents.push(document) === 1) groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({
    _id: group.id,
    ...Object.fromEntries(
      fields.map(({ name, accumulate, evaluate }) => [name, accumulate(group.documents.map((one) => evaluate(one)))]),
    ),
  }));
}

function readAccumulator(name: string, accumulator: unknown, variables: Document) {
  if (name.includes('.')) throw new CommandError('Location40235', `The field name '${name}' cannot contain '.'`);
  if (!isDocument(accumulator))
    throw new CommandError('Location40234', `The field '${name}' must be an accumulator object`);
  const [operator, ...more] = Object.keys(accumulator);
  if (operator === undefined || more.length > 0)
    throw new CommandError('Location40238', `The field '${name}' must specify one accumulator`);
  const accumulate = accumulators[operator];
  if (!accumulate) throw new CommandError('Location15952', `unknown group operator '${operator}'`);
  return {
    name,
    accumulate,
    evaluate: operator === '$count' ? () => 1 : evaluatorOf(accumulator[operator], variables),
  };
}

export const sortByCount = (spec: unknown, documents: readonly Document[], variables: Document): Document[] =>
  groupDocuments({ _id: spec, count: { $sum: 1 } }, documents, variables).sort((a, b) =>
    compareInExpression(b['count'], a['count']),
  );
