import type { Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** The token lets its holder look at the prepared version of one extension until `expiresAt`. */
export interface Preview {
  readonly accountId: string;
  readonly extensionId: number;
  readonly expiresAt: Date;
}

export interface PreviewRepository {
  ensureIndexes(): Promise<void>;
  insert(token: string, preview: Preview): Promise<void>;
  /** Also one that has expired. */
  find(token: string): Promise<Preview | undefined>;
}

/** Keeps previews under a digest of their tokens only. */
export function createPreviewRepository(connection: Connection): PreviewRepository {
  const previews = connection.collection<Preview & { readonly _id: string }>('previews');
  return {
    async ensureIndexes() {
      await ensureIndex(previews, { expiresAt: 1 }, { expireAfterSeconds: 0 });
    },
    async insert(token, preview) {
      await previews.insertOne({ ...preview, _id: digestOf(token) }, { writeConcern: durable });
    },
    async find(token) {
      return (await previews.findOne({ _id: digestOf(token) })) ?? undefined;
    },
  };
}
