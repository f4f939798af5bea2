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
    'createOutboxStore.claim': 'looks for what waits in any account',
    'createOutboxStore.countWaiting': 'a figure over all accounts',
    'createOutboxStore.isDue': 'looks for what waits in any account',
    'createDeliveryRepository.collect': 'a person looks at a list; the results of attempts go to one shard',
    'createDeliveryRepository.stop': 'a webhook is stopped: rare',
    'createDeliveryCountsRepository.count': 'a person looks at figures',
    'createRedeliveryRepository.count': 'asked for by a person',
    'createRedeliveryRepository.countWaiting': 'asked for by a person',
    'createRedeliveryRepository.select': 'asked for by a person',
    'createRedeliveryRepository.selectWaiting': 'asked for by a person',
    'createScheduleRepository.claim': 'looks for what is due in a line',
    'createScheduleRepository.firstDue': 'looks for what is due in a line',
    'createScheduleRepository.lineAfter': 'goes through the lines',
    'createScheduleRepository.endLeases': 'after the end of a process',
    'createSkippedRepository.meant': 'asked for by a person',
  },
};
