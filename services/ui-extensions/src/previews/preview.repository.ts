import type { Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** A bearer token to view the prepared version of one extension until `expiresAt`. */
export interface Preview {
  readonly accountId: string;
  readonly extensionId: number;
  readonly expiresAt: Date;
}

export interface PreviewRepository {
  ensureIndexes(): Promise<void>;
  insert(token: string, preview: Preview): Promise<void>;
  /** May return an expired preview. */
  find(token: string): Promise<Preview | undefined>;
}

/** Stores previews by the digest of their token; the token itself is not stored. */
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
