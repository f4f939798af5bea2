import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';
import type { Connection } from 'mongoose';
import type { ListedPerson } from './directory';
import { peopleCollection } from './directory.repository';

/** From one time on, and before another one. */
export interface Range {
  readonly from: Date;
  readonly until: Date;
}

/** The people of an account with all that is exported. */
export interface ListedPeopleRepository {
  ensureIndexes(): Promise<void>;
  /** Whether all of it is known of each of them: earlier releases have not stored it. */
  isComplete(accountId: string): Promise<boolean>;
  /**
   * People of the account itself, behind `after`: in the order of their ids, or with a range those who changed in it, in the
   * order of that time.
   */
  list(
    accountId: string,
    range: Range | undefined,
    after: ListedPerson | undefined,
    limit: number,
  ): Promise<readonly ListedPerson[]>;
}

type Stored = Omit<ListedPerson, 'id'> & { readonly _id: number };

export function createListedPeopleRepository(connection: Connection): ListedPeopleRepository {
  const people = connection.collection<Stored>(peopleCollection);
  return {
    async ensureIndexes() {
      await ensureIndex(people, { accountId: 1, _id: 1 });
      await ensureIndex(people, { accountId: 1, updatedAt: 1, _id: 1 });
    },
    async isComplete(accountId) {
      const found = await readForCaller(connection, 'light', (options) =>
        people.findOne({ accountId, updatedAt: { $exists: false } }, { projection: { _id: 1 }, ...options() }),
      );
      return found === null;
    },
    async list(accountId, range, after, limit) {
      const found = await readForCaller(connection, 'light', (options) =>
        people
          .find({ accountId, ...(range ? changedIn(range, after) : after && { _id: { $gt: after.id } }) }, options())
          .sort(range ? { updatedAt: 1, _id: 1 } : { _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(({ _id, ...person }) => ({ ...person, id: _id }));
    },
  };
}

const changedIn = ({ from, until }: Range, after: ListedPerson | undefined) => ({
  updatedAt: { $gte: after?.updatedAt ?? from, $lt: until },
  ...(after && { $or: [{ updatedAt: { $gt: after.updatedAt } }, { _id: { $gt: after.id } }] }),
});
