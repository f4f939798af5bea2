import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import { fromStored, storedName, toStored } from '@itsm/shared/declared/stored';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { isDuplicateKey, unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { ensureIndexes } from '@itsm/shared/stores/mongo/ensure-index';
import type { Connection } from 'mongoose';
import type { Kept, KeptType } from './kept';

/** Somebody, and the teams that they are a member of. */
export interface Keeper {
  readonly accountId: string;
  readonly personId: number;
  readonly teamIds: readonly number[];
}

/** `taken`: another one of its owner has the name. `stale`: a concurrent change came first. */
export type KeptWritten = 'written' | 'taken' | 'stale';

export interface KeptRepository<D extends KeptType> {
  ensureIndexes(): Promise<void>;
  /** What the keeper sees: their own, and what is shared with their teams. */
  seenBy(keeper: Keeper): CollectionSource<Kept<D>>;
  find(keeper: Keeper, id: number): Promise<Kept<D> | undefined>;
  countOwn(keeper: Omit<Keeper, 'teamIds'>): Promise<number>;
  countShared(accountId: string, teamId: number): Promise<number>;
  insert(kept: Kept<D>): Promise<KeptWritten>;
  /** Compare-and-set on the version before `after`'s. */
  replace(after: Kept<D>): Promise<KeptWritten>;
  remove(kept: Kept<D>): Promise<KeptWritten>;
}

interface KeptDocument extends Pick<
  Kept<KeptType>,
  'accountId' | 'ownerId' | 'name' | 'teamId' | 'createdAt' | 'updatedAt' | 'version'
> {
  readonly _id: number;
}

const safely = { writeConcern: durable };

/** What people keep, in a collection named by the plural of its type. */
export function createKeptRepository<D extends KeptType>(connection: Connection, type: D): KeptRepository<D> {
  const all = connection.collection<KeptDocument>(type.plural);
  const whereSeen = ({ accountId, personId, teamIds }: Keeper) => ({
    accountId,
    $or: [{ ownerId: personId }, { teamId: { $in: [...teamIds] } }],
  });
  const toKept = (document: KeptDocument): Kept<D> => {
    const { _id: id, accountId, ownerId, name, teamId, createdAt, updatedAt, version } = document;
    return { ...fromStored(type, document), id, accountId, ownerId, name, teamId, createdAt, updatedAt, version };
  };
  const membersOf = (kept: Kept<D>) => {
    const { accountId, ownerId, name, teamId, createdAt, updatedAt, version } = kept;
    return { ...toStored(type, kept), accountId, ownerId, name, teamId, createdAt, updatedAt, version };
  };
  const before = ({ id, accountId, version }: Kept<D>) => ({ accountId, _id: id, version: version - 1 });
  const count = (where: Readonly<Partial<KeptDocument>>) =>
    readForCaller(connection, 'light', (options) => all.countDocuments(where, options()));

  return {
    ensureIndexes: () =>
      ensureIndexes(all, [
        { key: { accountId: 1, ownerId: 1, name: 1 }, name: 'owner', unique: true },
        { key: { accountId: 1, teamId: 1 }, name: 'team' },
      ]),
    seenBy: (keeper) =>
      createMongoSource<KeptDocument, Kept<D>>({
        collection: connection.collection(type.plural),
        where: whereSeen(keeper),
        toRecord: toKept,
        storedName: (property) => storedName(type, property),
      }),
    async find(keeper, id) {
      const found = await readForCaller(connection, 'light', (options) =>
        all.findOne({ ...whereSeen(keeper), _id: id }, options()),
      );
      return found ? toKept(found) : undefined;
    },
    countOwn: ({ accountId, personId }) => count({ accountId, ownerId: personId }),
    countShared: (accountId, teamId) => count({ accountId, teamId }),
    async insert(kept) {
      return (await unlessTaken(all.insertOne({ _id: kept.id, ...membersOf(kept) }, safely))) ? 'written' : 'taken';
    },
    async replace(after) {
      try {
        const { matchedCount } = await all.updateOne(before(after), { $set: membersOf(after) }, safely);
        return matchedCount > 0 ? 'written' : 'stale';
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      }
    },
    async remove({ id, accountId, version }) {
      const { deletedCount } = await all.deleteOne({ accountId, _id: id, version }, safely);
      return deletedCount > 0 ? 'written' : 'stale';
    },
  };
}
