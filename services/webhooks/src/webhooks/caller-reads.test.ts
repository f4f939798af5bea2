import { proveReads } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

proveReads(repositories, {
  'createDirectoryRepository.findAccounts': 'events',
  'createDirectoryRepository.findAdministratorAddresses': 'mails',
  'createOutboxStore.claimSome': 'messages',
  'createOutboxStore.countWaiting': 'a metric',
  'createPolicyRepository.findDue': 'the schedule of keys',
  'createPresenceRepository.list': 'processes among themselves',
  'createWaitingEventRepository.accounts': 'events',
  'createWaitingEventRepository.claim': 'events',
  'createWebhookRepository.findSubscribed': 'events',
});
