import { proveReads } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

proveReads(repositories, {
  'createOutboxStore.countWaiting': 'a metric',
  'createPresenceRepository.list': 'processes among themselves',
  'upgradeRecords.call': 'once for a release',
});
