import { proveReads } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

proveReads(repositories, {
  'createExtensionRepository.announceEarlier': 'once for a release',
  'createOutboxStore.claimSome': 'messages',
  'createOutboxStore.countWaiting': 'a metric',
  'createPresenceRepository.list': 'processes among themselves',
});
