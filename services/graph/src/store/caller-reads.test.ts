import { proveReads } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

proveReads(repositories, {
  'createImportRepository.claim': 'work of the platform itself',
  'createImportRepository.isDue': 'work of the platform itself',
  'createNoticeRepository.dueMails': 'work of the platform itself',
  'createRecordCounts.begin': 'once at the start of a process',
  'createRecordCounts.fold': 'after the caller has got the answer',
  'createRecordCounts.sweep': 'a check of the platform itself',
  'createRecordCounts.waiting': 'a look for work of the platform itself',
  'createOutboxStore.claimSome': 'messages',
  'createOutboxStore.countWaiting': 'a metric',
  'createPresenceRepository.list': 'processes among themselves',
  'createSetAsideRepository.removeSome': 'work of the platform itself',
  'createWatchRepository.levelsOf': 'after the caller has got the answer',
  'upgradeRecords.call': 'once for a release',
});
