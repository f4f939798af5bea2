import type { Module, Platform } from '@itsm/shared/running/module';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import { ofType } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { createChildrenRepository } from './children.repository';
import type { ChildrenRepository } from './children.repository';
import { upgradeRecords } from './record-upgrade';
import { createRecordRepository } from './record.repository';
import type { RecordRepository } from './record.repository';
import { createTrailKeeper } from './trail-keeper';
import type { TrailKeeper } from './trail-keeper';
import { createTrailRepository } from './trail.repository';
import type { TrailRepository } from './trail.repository';

export { trailLeft } from './trail';

interface Needs {
  readonly types: readonly RecordType[];
}

export interface Store extends Module {
  readonly repositoryOf: (typeName: RecordType['name']) => RecordRepository;
  readonly children: ChildrenRepository;
  readonly trails: TrailRepository;
  readonly trailKeeper: TrailKeeper;
  readonly sequence: Sequence;
  /** Creates the indexes and upgrades records of earlier versions. */
  prepare(): Promise<void>;
}

export function createStore({ connection, now }: Platform, { types }: Needs): Store {
  const repositories = new Map(types.map((type) => [type.name, createRecordRepository(connection, type, { now })]));
  const trails = createTrailRepository(connection);
  const prepare = async (): Promise<void> => {
    await Promise.all([...repositories.values()].map((repository) => repository.ensureIndexes()));
    await trails.ensureIndexes();
    for (const type of types) await upgradeRecords(connection, type, trails);
  };
  return {
    repositoryOf: ofType(repositories),
    children: createChildrenRepository(connection),
    trails,
    trailKeeper: createTrailKeeper(trails),
    sequence: createSequence(connection),
    prepare,
    stores: [{ ensureIndexes: prepare }],
  };
}
