import type { Sharding } from '@itsm/shared/testing/shard-keys';

export const sharding: Sharding = {
  split: {
    archived_versions: { extensionId: 1 },
    audit_lines: { accountId: 1, _id: 1 },
    extensions: { accountId: 1 },
    generated_texts: { accountId: 1, _id: 1 },
    idempotent_calls: { accountId: 1, _id: 1 },
    previews: { _id: 'hashed' },
  },
  whole: {
    processes: 'one document per process',
    sequences: 'numbers are unique over all accounts, and there are few documents',
    upgrades: 'one document per upgrade',
  },
  toAllShards: {
    'createExtensionRepository.announceEarlier': 'once after a release',
    'createOutboxStore.claim': 'looks for waiting messages of all accounts',
    'createOutboxStore.claimSome': 'looks for waiting messages of all accounts',
    'createOutboxStore.countWaiting': 'counts over all accounts',
    'createOutboxStore.isDue': 'looks for waiting messages of all accounts',
    'createOutboxStore.postpone': 'finds its document by id alone',
    'createOutboxStore.settle': 'finds its document by id alone',
    'createVersionArchive.find': 'read by people, one version by its id',
  },
};
