import type { Sharding } from '@itsm/shared/testing/shard-keys';
import { recordTypes } from '../record-types/all';

const ofRecords = recordTypes.map(({ plural }) => [plural, { accountId: 1 }] as const);

const others: Sharding['split'] = {
  attachments: { accountId: 1, _id: 1 },
  audit_lines: { accountId: 1, _id: 1 },
  forms: { _id: 'hashed' },
  idempotent_calls: { accountId: 1, _id: 1 },
  import_chunks: { _id: 'hashed' },
  import_failures: { _id: 'hashed' },
  notes: { accountId: 1, _id: 1 },
  notices: { accountId: 1, _id: 1 },
  people: { _id: 'hashed' },
  saved_lists: { accountId: 1 },
  text_templates: { accountId: 1 },
  visits: { accountId: 1, _id: 1 },
  watches: { accountId: 1, _id: 1 },
};

const byName = ([a]: readonly [string, object], [b]: readonly [string, object]): number => (a < b ? -1 : 1);

export const sharding: Sharding = {
  split: Object.fromEntries([...Object.entries(others), ...ofRecords].sort(byName)),
  whole: {
    accounts: 'one small document per account',
    attachment_usages: 'one small document per account',
    export_turns: 'one small document per account',
    imports: 'few documents',
    notice_mails: 'one small document per person who is mailed',
    notice_preferences: 'one small document per person who has chosen',
    processes: 'one document per process',
    record_counts: 'one small document per account and type of record',
    sequences: 'numbers are unique over all accounts, and there are few documents',
    upgrades: 'one document per kind of record',
  },
  toAllShards: {
    'createOutboxStore.claim': 'looks for waiting messages of all accounts',
    'createOutboxStore.claimSome': 'looks for waiting messages of all accounts',
    'createOutboxStore.countWaiting': 'counts over all accounts',
    'createOutboxStore.isDue': 'looks for waiting messages of all accounts',
    'createOutboxStore.postpone': 'finds its document by id alone',
    'createOutboxStore.settle': 'finds its document by id alone',
    'createAttachmentRepository.claimDue': 'looks for what is due in all accounts',
    'createChildrenRepository.pages': 'starts at the ids of parents',
    'createImportFileRepository.remove': 'an import has ended',
    'createImportRepository.failures': 'read by people',
    'createListedPeopleRepository.isComplete': 'once for each export',
    'createListedPeopleRepository.list': 'exports read people by their account',
    'createRecordCounts.begin': 'once at the start of a process',
    'createRecordCounts.waiting': 'looks for records that a process has left uncounted',
    'createSetAsideRepository.removeSome': 'looks for what is due in the trash of all accounts',
    'upgradeRecords.call': 'once after a release',
  },
};
