import { join } from 'node:path';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import { createOutboxStore, ensureOutboxIndexes, forgettable } from '@itsm/shared/messages/outbox/outbox-store';
import { exerciseOfIdempotentCalls } from '@itsm/shared/testing/idempotent-calls';
import { exerciseOfPresence } from '@itsm/shared/testing/presence-calls';
import type { Repositories } from '@itsm/shared/testing/prove-store';
import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createDirectoryRepository } from '../directory/directory.repository';
import { createListedPeopleRepository } from '../directory/listed-people.repository';
import { createFormRepository } from '../forms/form.repository';
import { createExportTurnRepository } from '../exports/export-turn.repository';
import { recordTypes } from '../record-types/all';
import { createChildrenRepository } from '../store/children.repository';
import { customKeyOf, customKeys, hasCustomFields } from '../store/custom-keys';
import { filterNames, orderNames, parseOrder } from '../read/record-query';
import { inverseRelations } from '../read/record-relations';
import { everything, sharedAs } from '../store/record-selection';
import type { Selection } from '../store/record-selection';
import { ownersOf } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { unbounded, upgradeRecords } from '../store/record-upgrade';
import { createSweepRepository } from '../store/count-sweeps.repository';
import { createRecordCounts } from '../store/record-counts.repository';
import { createRecordFiles } from '../store/record-files.repository';
import { createRecordRepository } from '../store/record.repository';
import { createSetAsideRepository } from '../store/set-aside.repository';
import { createTrailRepository } from '../store/trail.repository';
import { exercisesOfAttachments } from './attachment-calls';
import { exercisesOfImports } from './import-calls';
import { exercisesOfKept } from './kept-calls';
import { exercisesOfNotices } from './notice-calls';
import { account, aTrail, fill, later, moment, now, recordOf, sample, valueOf } from './sample-documents';

const byId = parseOrder([]);
const lease = { owner: 'process', until: later };
const gone = ['process 1', 'process 2'];
const leased = { collection: 'requests', documentId: 203, owner: 'process 1', entries: [] };
const outbox = [{ id: 'm', contract: 'graph.trail.left.v1', message: '{}' }];
const page = { after: undefined, before: undefined, limit: 20, from: 'start' } as const;
const trailReaches = [true, false].map((internal) => ({ accountId: account, internal }));

/** Selections by one filter, one view or one text each. */
const selectionsOf = (type: RecordType): Selection[] => [
  everything,
  ...type.fields
    .filter(({ name }) => filterNames(type).includes(name))
    .map((field): Selection => {
      const value = valueOf(field, sample);
      return {
        ...everything,
        conditions: [{ property: field.name, in: [Array.isArray(value) ? value[0] : value] as never }],
      };
    }),
  ...(ownersOf(type).length > 0 ? [{ ...everything, conditions: [{ property: 'owners', in: [sample] }] }] : []),
  ...(hasCustomFields(type)
    ? [['57'], ['57', '58']].map((values) => ({
        ...everything,
        conditions: [{ property: customKeys, in: values.map((value) => customKeyOf('floor', value)) }],
      }))
    : []),
  ...[['57'], ['printer', '57'], ['57', 'floor', 'printer'], ['printer', 'floor', 'absent']].map((words) => ({
    ...everything,
    words,
  })),
];

function exercisesOf(connection: Connection, type: RecordType): Exercise {
  const repository = createRecordRepository(connection, type);
  const selections = selectionsOf(type);
  return exercise('createRecordRepository', repository, {
    insert: (all) => all.insert({ ...recordOf(type, sample), id: 1_000_000 }, outbox),
    insertMany: (all) => all.insertMany([sample, sample + 1].map((n) => ({ ...recordOf(type, n), id: 1_000_000 + n }))),
    replace: (all) => all.replace(recordOf(type, sample), { ...recordOf(type, sample), version: 2 }, outbox),
    findMany: (all) => all.findMany(account, [5, sample], everything),
    findBySource: (all) => all.findBySource(account, [{ source: 'app', sourceID: 's-57' }]),
    async list(all) {
      for (const selection of selections) await all.list(account, selection, { order: byId, limit: 20 });
      for (const direction of ['asc', 'desc'] as const)
        for (const field of orderNames(type)) {
          const order = parseOrder([{ field, direction }]);
          const known = {
            ...recordOf(type, sample).values,
            id: sample,
            createdAt: moment(sample),
            updatedAt: moment(sample),
          };
          const start = order.map(({ property }) => known[property as 'id'] as never);
          await all.list(account, everything, { order, limit: 20 });
          await all.list(account, everything, { order, start, limit: 20 });
          await all.list(account, { ...everything, words: ['printer', '57'] }, { order, limit: 20 });
        }
      for (const [filter, field] of type.indexedTogether ?? []) {
        const of = type.fields.find(({ name }) => name === filter);
        const conditions = of ? [{ property: filter, in: [valueOf(of, sample)] as never }] : [];
        await all.list(account, { ...everything, conditions }, { order: parseOrder([{ field }]), limit: 20 });
      }
      if (sharedAs(type).length > 0) {
        const reach = { who: 'everybody', partners: ['other'] } as const;
        await all.list('partner', { ...everything, reach }, { order: byId, limit: 20 });
      }
    },
    async page(all) {
      for (const selection of selections) await all.page(account, selection, { order: byId, limit: 20 });
    },
    async count(all) {
      for (const selection of selections) await all.count(account, selection);
    },
  });
}

function exerciseOfCounts(connection: Connection, type: RecordType): Exercise {
  const selections = selectionsOf(type);
  return exercise('createRecordCounts', createRecordCounts(connection, type), {
    async count(all) {
      for (const selection of selections)
        await readForCaller(connection, 'light', (options) => all.count(account, selection, options));
    },
    fold: (all) => all.fold(account, later),
    sweep: (all) => all.sweep(account, later),
    forget: (all) => all.forget(account, later),
    waiting: (all) => all.waiting(),
    begin: (all) => all.begin(later),
  });
}

function exercises(connection: Connection): Exercise[] {
  const trails = createTrailRepository(connection);
  const parents = [1, 5, 57];
  const relations = inverseRelations(recordTypes).map((relation) => ({
    parents: relation.parent.plural,
    children: relation.child.plural,
    foreign: relation.foreign,
    where: { accountId: account },
    without: 'files',
  }));
  return [
    ...recordTypes.map((type) => exercisesOf(connection, type)),
    ...recordTypes.map((type) => exerciseOfCounts(connection, type)),
    exercise('createSweepRepository', createSweepRepository(connection), {
      isDue: (all) => all.isDue(now, gone),
      claim: (all) => all.claim(now, gone, lease),
      release: (all) => all.release({ type: 'request', accountId: account }, later),
    }),
    exercise('createChildrenRepository', createChildrenRepository(connection), {
      async pages(all) {
        for (const relation of relations)
          for (const slice of [page, { ...page, from: 'end' as const }, { ...page, after: 400 }])
            await all.pages(relation, parents, slice);
      },
      async counts(all) {
        for (const relation of relations) await all.counts(relation, parents);
      },
    }),
    exercise('createTrailRepository', trails, {
      keep: (all) => all.keep([aTrail(sample, 1_000_000)]),
      isWaiting: (all) => all.isWaiting(account, 'requests', 203),
      removeOf: (all) => all.removeOf(account, 'request', [5, 17]),
      async find(all) {
        for (const reach of trailReaches)
          await Promise.all([all.find('note', reach, [5, sample]), all.find('auditLine', reach, [5, sample])]);
      },
      async source(all) {
        for (const reach of trailReaches)
          for (const kind of ['note', 'auditLine'] as const)
            await readWhole(all.source(kind, reach, { recordType: 'request', recordId: 17 }));
      },
    }),
    ...exercisesOfAttachments(connection),
    exercise('createRecordFiles', createRecordFiles(connection), {
      find: (all) => all.find(account, 'requests', [5, sample]),
    }),
    ...exercisesOfNotices(connection),
    ...exercisesOfKept(connection, readWhole),
    exercise('createSetAsideRepository', createSetAsideRepository(connection, trails), {
      async source(all) {
        for (const state of ['archived', 'trashed'] as const) await readWhole(all.source(account, state, recordTypes));
      },
      async removeSome(all) {
        for (const type of recordTypes) await all.removeSome(type, moment(500));
      },
    }),
    exercise('createFormRepository', createFormRepository(connection), {
      save: (all) => all.save({ id: sample, accountId: account, name: 'F', disabled: false, fields: [], version: 2 }),
      find: (all) => all.find(account, [5, sample]),
    }),
    exercise('createDirectoryRepository', createDirectoryRepository(connection), {
      savePerson: (all) =>
        all.savePerson({
          id: sample,
          accountId: account,
          name: 'P',
          primaryEmail: 'p@b',
          sourceID: null,
          roles: {},
          disabled: false,
          version: 2,
        }),
      saveAccount: (all) =>
        all.saveAccount({
          id: account,
          name: 'A',
          customUrl: null,
          directoryAccountId: null,
          disabled: false,
          version: 2,
          trusts: [{ accountId: 'a5', as: 'customer' }],
        }),
      findPeople: (all) => all.findPeople([5, sample]),
      findAccounts: (all) => all.findAccounts([account, 'a5']),
      findPartners: (all) => all.findPartners(account),
    }),
    exercise('createListedPeopleRepository', createListedPeopleRepository(connection), {
      isComplete: (all) => all.isComplete(account),
      async list(all) {
        const [first] = await all.list(account, undefined, undefined, 1);
        await all.list(account, undefined, first, 250);
        await all.list(account, { from: moment(0), until: now }, first, 250);
      },
    }),
    ...exercisesOfImports(connection),
    exercise('createExportTurnRepository', createExportTurnRepository(connection), {
      take: (all) => all.take(account, 'new', now, later),
      keep: (all) => all.keep(account, 'new', later),
      end: (all) => all.end(account, 'new'),
    }),
    exercise('createSequence', createSequence(connection), {
      next: (sequence) => sequence.next('sequence 5'),
      draw: (sequence) => sequence.draw('sequence 7'),
      reserve: (sequence) => sequence.reserve('sequence 6', 10),
    }),
    exercise(
      'upgradeRecords',
      upgradeRecords,
      {
        async call(upgrade) {
          const [type] = recordTypes;
          if (type) await upgrade(connection, type, trails);
        },
      },
      { unbounded },
    ),
    exerciseOfPresence(connection),
    exerciseOfIdempotentCalls(connection),
    exercise(
      'createOutboxStore',
      createOutboxStore(connection),
      {
        countWaiting: (all) => all.countWaiting('requests'),
        isDue: (all) => all.isDue('requests', now, gone),
        claim: (all) => all.claim('requests', now, gone, lease),
        claimSome: (all) => all.claimSome('requests', now, gone, lease, 20),
        async settle(all) {
          await all.settle({ ...leased, documentId: 3 }, ['m3']);
          await all.settle(leased, ['another']);
        },
        postpone: (all) => all.postpone(leased, ['another'], later),
      },
      { forgettable },
    ),
  ];
}

async function readWhole<T>(source: CollectionSource<T>): Promise<void> {
  for (const descending of [false, true]) {
    const order = [{ field: 'id', property: 'id', descending }];
    await source.read({ order, limit: 20, skip: 0, fields: [] });
    await source.read({ order, limit: 20, skip: 0, fields: [], after: [500] });
  }
  await source.count();
}

export const repositories: Repositories = {
  folder: join(__dirname, '..'),
  exercises,
  ensureIndexes: (connection) =>
    ensureOutboxIndexes(
      connection,
      recordTypes.map(({ plural }) => plural),
    ),
  fill,
  composed: [],
};
