import type { Sharding } from '@itsm/shared/testing/shard-keys';

export const sharding: Sharding = {
  split: {
    delivery_outcomes: { _id: 'hashed' },
    idempotent_calls: { accountId: 1, _id: 1 },
    mails: { accountId: 1, _id: 1 },
    people: { _id: 'hashed' },
    seen_events: { _id: 'hashed' },
    skipped_deliveries: { _id: 'hashed' },
    waiting_events: { accountId: 1, _id: 1 },
    webhook_policies: { accountId: 1 },
    webhooks: { accountId: 1, _id: 1 },
  },
  whole: {
    accounts: 'one small document per account',
    processes: 'one document per process',
    sequences: 'numbers are unique over all accounts, and there are few documents',
  },
  toAllShards: {
    'createOutboxStore.claim': 'looks for waiting messages of all accounts',
    'createOutboxStore.claimSome': 'looks for waiting messages of all accounts',
    'createOutboxStore.countWaiting': 'counts over all accounts',
    'createOutboxStore.isDue': 'looks for waiting messages of all accounts',
    'createOutboxStore.postpone': 'finds its document by id alone',
    'createOutboxStore.settle': 'finds its document by id alone',
    'createPolicyRepository.findDue': 'sweep over all accounts',
    'createDirectoryRepository.findAdministratorAddresses':
      'rare: a notice to administrators, who may belong to other accounts',
    'createEventLog.listing': 'reads a list for a person; writes go to one shard',
    'createNoticeRepository.claim': 'looks for due notices of all accounts',
    'createNoticeRepository.isDue': 'looks for due notices of all accounts',
    'createNoticeRepository.postpone': 'finds its webhook by id alone; rare',
    'createNoticeRepository.settle': 'finds its webhook by id alone; rare',
    'createSkippedRepository.summarize': 'read by people; writes go to one shard',
    'createSkippedRepository.markRedelivered': 'requested by a person, for a period',
    'createWaitingEventRepository.accounts': 'looks for what other processes left; it is usually empty',
  },
};
