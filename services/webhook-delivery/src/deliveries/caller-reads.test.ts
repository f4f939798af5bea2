import { proveReads } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

proveReads(repositories, {
  'createOutboxStore.claimSome': 'messages',
  'createOutboxStore.countWaiting': 'a metric',
  'createPresenceRepository.list': 'processes among themselves',
  'createScheduleRepository.claim': 'attempts',
  'createScheduleRepository.endLeases': 'attempts',
  'createSkippedRepository.select': 'messages',
  'createStopRepository.reasonAgainst': 'messages',
  'createStopRepository.reasonsAgainst': 'messages',
});
