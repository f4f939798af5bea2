import type { Module, Platform } from '@itsm/shared/running/module';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import { ofType } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { createChildrenRepository } from './children.repository';
import type { ChildrenRepository } from './children.repository';
import { createCountKeeper } from './count-keeper';
import type { CountKeeper } from './count-keeper';
import { createSweepRepository } from './count-sweeps.repository';
import { createRecordCounts } from './record-counts.repository';
import { upgradeRecords } from './record-upgrade';
import { createRecordFiles } from './record-files.repository';
import type { RecordFilesRepository } from './record-files.repository';
import { createRecordRepository } from './record.repository';
import type { RecordRepository } from './record.repository';
import { createSetAsideRepository } from './set-aside.repository';
import type { SetAsideRepository } from './set-aside.repository';
import { createTrailKeeper } from './trail-keeper';
import type { TrailKeeper } from './trail-keeper';
import { createTrailRepository } from './trail.repository';
import type { TrailRepository } from './trail.repository';

import { createTrashEmptier } from './trash-emptier';
import type { TrashEmptier } from './trash-emptier';

export { trailContracts } from './trail';

interface Needs {
  readonly types: readonly RecordType[];
  readonly presence: Presence;
}

export interface Store extends Module {
  readonly repositoryOf: (typeName: RecordType['name']) => RecordRepository;
  readonly children: ChildrenRepository;
  readonly recordFiles: RecordFilesRepository;
  readonly trails: TrailRepository;
  readonly trailKeeper: TrailKeeper;
  readonly countKeeper: CountKeeper;
  readonly aside: SetAsideRepository;
  readonly trashEmptier: TrashEmptier;
  readonly sequence: Sequence;
  /** Creates the indexes and upgrades records of earlier versions. */
  prepare(): Promise<void>;
}

export function createStore({ connection, logger, now }: Platform, { types, presence }: Needs): Store {
  const countsOf = new Map(types.map((type) => [type.name, createRecordCounts(connection, type)]));
  const sweeps = createSweepRepository(connection);
  const countKeeper = createCountKeeper({ countsOf, sweeps, presence, logger, now });
  const repositories = new Map(
    types.map((type) => {
      const onUncounted = (accountId: string, records: number) => countKeeper.note(type.name, accountId, records);
      const forgetCounts = (accountId: string) => countKeeper.forget(type.name, accountId);
      return [type.name, createRecordRepository(connection, type, { now, onUncounted, forgetCounts })];
    }),
  );
  const trails = createTrailRepository(connection);
  const aside = createSetAsideRepository(connection, trails);
  const trashEmptier = createTrashEmptier({ types, aside, logger, now });
  const prepare = async (): Promise<void> => {
    await Promise.all([...repositories.values()].map((repository) => repository.ensureIndexes()));
    await sweeps.ensureIndexes();
    await trails.ensureIndexes();
    for (const type of types) await upgradeRecords(connection, type, trails);
  };
  return {
    repositoryOf: ofType(repositories),
    children: createChildrenRepository(connection),
    recordFiles: createRecordFiles(connection),
    trails,
    trailKeeper: createTrailKeeper(trails),
    countKeeper,
    aside,
    trashEmptier,
    sequence: createSequence(connection),
    prepare,
    stores: [{ ensureIndexes: prepare }],
    runners: [countKeeper, trashEmptier],
  };
}
