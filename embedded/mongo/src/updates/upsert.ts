import { ObjectId } from 'bson';
import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { slotsAt } from './slots';
import type { Update } from './update';

const noPositions = {
  positionOf: () => 0,
  chooses: () => false,
};

/** The document an upsert inserts: what the (typed) filter says a field equals, then the update, `_id` first. */
export function upsertedDocument(filter: Document, update: Update): Document {
  const base: Document = {};
  for (const [path, value] of equalities(filter)) {
    if (!update.replaces || path === '_id') for (const slot of slotsAt(base, path, true, noPositions)) slot.set(value);
  }
  const { _id: id, ...rest } = update.apply(base, true);
  return { _id: id ?? new ObjectId(), ...rest };
}

function equalities(filter: Document): [string, unknown][] {
  return Object.entries(filter).flatMap(([path, condition]): [string, unknown][] => {
    if (path === '$and' && Array.isArray(condition)) return condition.flatMap((one) => equalities(one as Document));
    if (path.startsWith('$')) return [];
    if (!isDocument(condition) || !Object.keys(condition).some((name) => name.startsWith('$')))
      return [[path, condition]];
    if ('$eq' in condition) return [[path, condition['$eq']]];
    const only = condition['$in'];
    return Array.isArray(only) && only.length === 1 ? [[path, only[0]]] : [];
  });
}
