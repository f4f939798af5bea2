import type { Sharding } from '@itsm/shared/testing/shard-keys';

export const sharding: Sharding = {
  split: {
    archived_versions: { extensionId: 1 },
    audit_lines: { accountId: 1, _id: 1 },
    extensions: { accountId: 1 },
    generated_texts: { accountId: 1, _id: 1 },
    previews: { _id: 'hashed' },
  },
  whole: {
    sequences: 'a number is given once in all accounts, and few documents',
  },
  toAllShards: {
    'createVersionArchive.find': 'a person looks at one version, by its id',
  },
};
