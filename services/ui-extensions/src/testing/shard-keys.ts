import type { Sharding } from '@itsm/shared/testing/shard-keys';

export const sharding: Sharding = {
  split: {
    archived_versions: { extensionId: 1 },
    audit_lines: { accountId: 1, _id: 1 },
    extensions: { accountId: 1 },
    generated_texts: { accountId: 1, _id: 1 },
    idempotent_calls: { accountId: 1, _id: 1 },
    previews: { _id: 'hashed' },
  },
  whole: {
    sequences: 'numbers are unique over all accounts, and there are few documents',
  },
  toAllShards: {
    'createVersionArchive.find': 'read by people, one version by its id',
  },
};
