import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Connection } from 'mongoose';
import { createKeptRepository } from '../kept/kept.repository';
import { savedListType } from '../kept/saved-list';
import { account, moment, sample } from './sample-documents';

const keeper = { accountId: account, personId: sample, teamIds: [5, 17] };
const kept = {
  id: 1_000_000,
  accountId: account,
  ownerId: sample,
  name: 'New',
  type: 'Request',
  search: '',
  teamId: null,
  createdAt: moment(sample),
  updatedAt: moment(sample),
  version: 1,
};

/** Sample calls of what people keep; both types have the same repository. */
export function exercisesOfKept(
  connection: Connection,
  readWhole: <T>(source: CollectionSource<T>) => Promise<void>,
): Exercise[] {
  return [
    exercise('createKeptRepository', createKeptRepository(connection, savedListType), {
      seenBy: (all) => readWhole(all.seenBy(keeper)),
      find: (all) => all.find(keeper, sample),
      countOwn: (all) => all.countOwn(keeper),
      countShared: (all) => all.countShared(account, 5),
      insert: (all) => all.insert(kept),
      replace: (all) => all.replace({ ...kept, id: sample, name: 'Changed', version: 2 }),
      remove: (all) => all.remove({ ...kept, id: 57 + 200 }),
    }),
  ];
}
