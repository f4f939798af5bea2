import type { Sharding } from '@itsm/shared/testing/shard-keys';

export const sharding: Sharding = {
  split: {
    audit_lines: { accountId: 1, _id: 1 },
    import_chunks: { _id: 'hashed' },
    import_failures: { _id: 'hashed' },
    notes: { accountId: 1, _id: 1 },
    people: { _id: 'hashed' },
    problems: { accountId: 1 },
    project_tasks: { accountId: 1 },
    projects: { accountId: 1 },
    requests: { accountId: 1 },
    slas: { accountId: 1 },
    tasks: { accountId: 1 },
    teams: { accountId: 1 },
    workflows: { accountId: 1 },
  },
  whole: {
    accounts: 'one small document per account',
    imports: 'few documents',
    processes: 'one document per process',
    sequences: 'numbers are unique over all accounts, and there are few documents',
    upgrades: 'one document per kind of record',
  },
  toAllShards: {
    'createOutboxStore.claim': 'looks for waiting messages of all accounts',
    'createOutboxStore.countWaiting': 'counts over all accounts',
    'createOutboxStore.isDue': 'looks for waiting messages of all accounts',
    'createOutboxStore.postpone': 'finds its document by id alone',
    'createOutboxStore.settle': 'finds its document by id alone',
    'createChildrenRepository.pages': 'starts at the ids of parents',
    'createImportFileRepository.remove': 'an import has ended',
    'createImportRepository.failures': 'read by people',
    'upgradeRecords.call': 'once after a release',
  },
};
