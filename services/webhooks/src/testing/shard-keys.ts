import type { Sharding } from '@itsm/shared/testing/shard-keys';

export const sharding: Sharding = {
  split: {
    delivery_outcomes: { _id: 'hashed' },
    mails: { accountId: 1, _id: 1 },
    people: { _id: 'hashed' },
    seen_events: { _id: 'hashed' },
    skipped_deliveries: { _id: 'hashed' },
    webhook_policies: { accountId: 1 },
    webhooks: { accountId: 1, _id: 1 },
  },
  whole: {
    accounts: 'one small document an account',
    processes: 'one document a process',
    sequences: 'a number is given once in all accounts, and few documents',
  },
  toAllShards: {
    'createOutboxStore.claim': 'looks for waiting messages of all accounts',
    'createOutboxStore.countWaiting': 'a figure over all accounts',
    'createOutboxStore.isDue': 'looks for what waits in any account',
    'createOutboxStore.postpone': 'names its document by id alone',
    'createOutboxStore.settle': 'names its document by id alone',
    'createPolicyRepository.findDue': 'sweep over all accounts',
    'createDirectoryRepository.findAdministratorAddresses':
      'rare: a notice to administrators, who may be at home in other accounts',
    'createEventLog.listing': 'a person looks at a list; writes go to one shard',
    'createNoticeRepository.claim': 'looks for what is due in any account',
    'createNoticeRepository.isDue': 'looks for what is due in any account',
    'createNoticeRepository.postpone': 'names its webhook by id alone; rare',
    'createNoticeRepository.settle': 'names its webhook by id alone; rare',
    'createSkippedRepository.summarize': 'a person looks; writes go to one shard',
    'createSkippedRepository.markRedelivered': 'asked for by a person, for a period',
  },
};
