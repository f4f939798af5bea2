import { resolve } from 'mingo/util';
import { decodePlain, isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import type { Collection } from '../storage/collection';
import { createSearch } from './search';

/** A `$lookup` that compares one field with another, and at most narrows, orders and limits what it finds. */
export interface EqualityLookup {
  readonly from: string;
  readonly localField: string;
  readonly foreignField: string;
  readonly as: string;
  readonly search: {
    readonly match?: Document;
    readonly sort?: unknown;
    readonly skip?: number;
    readonly limit?: number;
  };
}

export function equalityLookup(stage: Document): EqualityLookup | undefined {
  const given = stage['$lookup'];
  if (!isDocument(given)) return undefined;
  const { from, localField, foreignField, as, pipeline = [], ...others } = given;
  const names = [from, localField, foreignField, as].every((name) => typeof name === 'string' && name !== '');
  const search = names && Object.keys(others).length === 0 ? searchOf(pipeline) : undefined;
  return search && { ...(given as unknown as Omit<EqualityLookup, 'search'>), search };
}

/** What a pipeline of `$match`, `$sort`, `$skip` and `$limit`, in this order, asks for; undefined for any other. */
function searchOf(pipeline: unknown): EqualityLookup['search'] | undefined {
  if (!Array.isArray(pipeline)) return undefined;
  const rest = [...(pipeline as unknown[])];
  const take = (name: string): unknown => {
    const [stage] = rest;
    return isDocument(stage) && name in stage ? (rest.shift(), stage[name]) : undefined;
  };
  const [match, sort, skip, limit] = [take('$match'), take('$sort'), take('$skip') ?? 0, take('$limit') ?? 0];
  if (rest.length > 0 || (match !== undefined && !isDocument(match))) return undefined;
  if (typeof skip !== 'number' || typeof limit !== 'number') return undefined;
  return { ...(match && { match }), ...(sort !== undefined && { sort }), skip, limit };
}

/**
 * Joins by a search in `collection` for each document, so that its indexes are used; mingo would read all of it.
 * Undefined when a local value is a document, or of another kind whose equality is best left to mingo.
 */
export function joinBySearch(
  { localField, foreignField, as, search: { match = {}, ...order } }: EqualityLookup,
  documents: readonly Document[],
  collection: Collection | undefined,
): Document[] | undefined {
  const wanted = documents.map((document) => valuesOf(resolve(document, localField) ?? null));
  if (!wanted.every((values) => values.every(isComparable))) return undefined;
  return documents.map((document, index) => {
    const filter = { $and: [{ [foreignField]: { $in: wanted[index] ?? [] } }, match] };
    const found = collection ? [...createSearch(collection, { filter, ...order }).run()] : [];
    return { ...document, [as]: found.map(({ document: joined }) => decodePlain(joined)) };
  });
}

const valuesOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

/** Neither a list in a list, nor a document, nor what `$in` takes for a pattern. */
const isComparable = (value: unknown): boolean =>
  !Array.isArray(value) && !isDocument(value) && !(value instanceof RegExp);
