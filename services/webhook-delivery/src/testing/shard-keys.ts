import type { Sharding } from '@itsm/shared/testing/shard-keys';

export const sharding: Sharding = {
  split: {
    deliveries: { _id: 'hashed' },
    stops: { _id: 'hashed' },
  },
  whole: {
    processes: 'one document a process',
    signing_policies: 'one small document a policy',
  },
  toAllShards: {
    'createOutboxStore.claim': 'looks for waiting messages of all accounts',
    'createOutboxStore.countWaiting': 'a figure over all accounts',
    'createOutboxStore.isDue': 'looks for what waits in any account',
    'createDeliveryRepository.collect': 'a person looks at a list; the results of attempts go to one shard',
    'createDeliveryRepository.stop': 'a webhook is stopped: rare',
    'createDeliveryCountsRepository.count': 'read by people',
    'createRedeliveryRepository.count': 'requested by a person',
    'createRedeliveryRepository.countWaiting': 'requested by a person',
    'createRedeliveryRepository.select': 'requested by a person',
    'createRedeliveryRepository.selectWaiting': 'requested by a person',
    'createScheduleRepository.claim': 'looks for due deliveries of a line',
    'createScheduleRepository.firstDue': 'looks for due deliveries of a line',
    'createScheduleRepository.lineAfter': 'goes through the lines',
    'createScheduleRepository.endLeases': 'after the end of a process',
    'createSkippedRepository.select': 'requested by a person',
  },
};
