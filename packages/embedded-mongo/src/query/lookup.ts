import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { childOf } from '../documents/paths';
import { CommandError } from '../errors/command-error';
import { evaluatorOf } from './expressions';
import { withFieldAt } from './projection-tree';

export interface StageSources {
  /** Runs a pipeline over the documents of another collection that match the filter. */
  join(from: string, filter: Document, pipeline: readonly unknown[], variables: Document): Document[];
  readonly variables: Document;
}

/** `$lookup`. Searches the other collection once per document, so that it can use indexes. */
export function joined(spec: unknown, documents: readonly Document[], sources: StageSources): Document[] {
  if (!isDocument(spec)) throw new CommandError('FailedToParse', 'the $lookup specification must be an object');
  const { from, as, localField, foreignField, pipeline, let: given, ...others } = spec;
  if (typeof from !== 'string')
    throw new CommandError('FailedToParse', "missing 'from' option to $lookup stage specification");
  if (typeof as !== 'string') throw new CommandError('FailedToParse', "must specify 'as' field for a $lookup");
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new CommandError('FailedToParse', `unknown argument to $lookup: ${unknown}`);
  const byField = typeof localField === 'string' && typeof foreignField === 'string';
  if (!byField && (localField !== undefined || foreignField !== undefined))
    throw new CommandError(
      'FailedToParse',
      '$lookup requires both or neither of localField and foreignField to be specified',
    );
  if (!byField && pipeline === undefined)
    throw new CommandError(
      'FailedToParse',
      "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified",
    );
  if (pipeline !== undefined && !Array.isArray(pipeline))
    throw new CommandError('TypeMismatch', "A $lookup 'pipeline' must be an array");
  const bound = Object.entries(isDocument(given) ? given : {}).map(
    ([name, expression]) => [name, evaluatorOf(expression, sources.variables)] as const,
  );
  const target = as.split('.');
  return documents.map((document) => {
    const filter = byField ? equalityWith(document, localField, foreignField) : {};
    const variables = {
      ...sources.variables,
      ...Object.fromEntries(bound.map(([name, value]) => [name, value(document)])),
    };
    return withFieldAt(
      document,
      target,
      sources.join(from, filter, (pipeline as unknown[] | undefined) ?? [], variables),
    );
  });
}

/** Here a regex is a value to compare with. `$in` would match strings against it, so it becomes an `$eq`. */
function equalityWith(document: Document, localField: string, foreignField: string): Document {
  const values = localValues(document, localField.split('.'));
  const patterns = values.filter((value) => value instanceof RegExp);
  const $in = values.filter((value) => !(value instanceof RegExp));
  if (patterns.length === 0) return { [foreignField]: { $in } };
  return { $or: [{ [foreignField]: { $in } }, ...patterns.map((one) => ({ [foreignField]: { $eq: one } }))] };
}

/** All values of the local field. A missing field has the value null; an empty array has no values. */
function localValues(document: Document, path: readonly string[]): unknown[] {
  const values = valuesOf(document, path);
  const isEmptyList = path.reduce<unknown>(childOf, document) instanceof Array;
  return values.length === 0 && !isEmptyList ? [null] : values;
}

function valuesOf(value: unknown, path: readonly string[]): unknown[] {
  const [part, ...rest] = path;
  if (part === undefined) return Array.isArray(value) ? (value as unknown[]) : [value];
  if (isDocument(value)) return Object.hasOwn(value, part) ? valuesOf(value[part], rest) : [];
  return Array.isArray(value) ? value.flatMap((item) => (isDocument(item) ? valuesOf(item, path) : [])) : [];
}
