import type { Slice } from '@itsm/shared/api/graphql/connections';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import type { Connection } from 'mongoose';

/** A one-to-many relation between two collections; `foreign` holds the parent's id. */
export interface Relation {
  readonly parents: string;
  readonly children: string;
  readonly foreign: string;
  /** Further conditions on the children, the account above all. */
  readonly where: Readonly<Record<string, unknown>>;
  /** A large member of the children that is not read. */
  readonly without?: string;
}

export interface ChildDocument {
  readonly _id: number;
}

/** Reads the same page of children of many parents in one command, whatever the number of parents. */
export interface ChildrenRepository {
  pages(relation: Relation, parentIds: readonly number[], slice: Slice): Promise<ReadonlyMap<number, ChildDocument[]>>;
  counts(relation: Relation, parentIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

export function createChildrenRepository(connection: Connection): ChildrenRepository {
  return {
    pages({ parents, children, foreign, where, without }, parentIds, { after, before, limit, from }) {
      const range = { ...(after !== undefined && { $gt: after }), ...(before !== undefined && { $lt: before }) };
      const wanted = { ...where, ...(Object.keys(range).length > 0 && { _id: range }) };
      const lookup = {
        from: children,
        localField: '_id',
        foreignField: foreign,
        // Each parent's page is one bounded scan of the index on `foreign`.
        pipeline: [
          { $match: wanted },
          { $sort: { _id: from === 'start' ? 1 : -1 } },
          { $limit: limit },
          ...(without === undefined ? [] : [{ $project: { [without]: 0 } }]),
        ],
        as: 'found',
      };
      const stages = [{ $match: { _id: { $in: [...parentIds] } } }, { $project: { _id: 1 } }, { $lookup: lookup }];
      return readForCaller(connection, 'light', async (options) => {
        const rows = connection
          .collection<{ _id: number }>(parents)
          .aggregate<{ _id: number; found: ChildDocument[] }>(stages, { ...options(), batchSize: 10_000 });
        const pages = new Map<number, ChildDocument[]>();
        for await (const { _id, found } of rows) pages.set(_id, from === 'start' ? found : found.reverse());
        return pages;
      });
    },
    counts({ children, foreign, where }, parentIds) {
      const named = { [foreign]: { $in: [...parentIds] } };
      const stages = [
        { $match: { ...where, ...named } },
        { $unwind: `$${foreign}` },
        { $match: named },
        { $group: { _id: `$${foreign}`, count: { $sum: 1 } } },
      ];
      return readForCaller(connection, 'heavy', async (options) => {
        const rows = connection
          .collection(children)
          .aggregate<{ _id: number; count: number }>(stages, { ...options() });
        return new Map((await rows.toArray()).map(({ _id, count }) => [_id, count]));
      });
    },
  };
}
