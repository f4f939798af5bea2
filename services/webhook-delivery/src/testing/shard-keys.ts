import type { Sharding } from '@itsm/shared/testing/shard-keys';

export const sharding: Sharding = {
  split: {
    deliveries: { _id: 'hashed' },
    idempotent_calls: { accountId: 1, _id: 1 },
    stops: { _id: 'hashed' },
  },
  whole: {
    processes: 'one document per process',
    signing_policies: 'one small document per policy',
  },
  toAllShards: {
    'createOutboxStore.claim': 'looks for waiting messages of all accounts',
    'createOutboxStore.claimSome': 'looks for waiting messages of all accounts',
    'createOutboxStore.countWaiting': 'counts over all accounts',
    'createOutboxStore.isDue': 'looks for waiting messages of all accounts',
    'createDeliveryRepository.collect': 'reads a list for a person; the results of attempts go to one shard',
    'createDeliveryRepository.stop': 'a webhook is stopped: rare',
    'createDeliveryCountsRepository.count': 'read by people',
    'createRedeliveryRepository.count': 'requested by a person',
    'createRedeliveryRepository.countWaiting': 'requested by a person',
    'createRedeliveryRepository.select': 'requested by a person',
    'createRedeliveryRepository.selectWaiting': 'requested by a person',
    'createScheduleRepository.claim': 'looks for due deliveries of a queue',
    'createScheduleRepository.firstDue': 'looks for due deliveries of a queue',
    'createScheduleRepository.lineAfter': 'iterates over the queues',
    'createScheduleRepository.endLeases': 'after a process has ended',
    'createSkippedRepository.select': 'requested by a person',
  },
};
