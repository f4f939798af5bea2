import type { Connection } from 'mongoose';
import { durable } from '../../stores/mongo/connect-mongo';
import { unlessTaken } from '../../stores/mongo/duplicate-key';
import type { CollectionSource } from '../../api/rest/collection-source';
import { createMongoSource } from '../../api/rest/mongo-source';
import type { Mail } from './mail';
import { ensureIndex } from '../../stores/mongo/ensure-index';

/** A stored mail; `sentAt` is null when there was no server to send it. */
export interface KeptMail extends Mail {
  readonly accountId: string;
  /** The subject of the mail for look-up, such as `webhook:12`. */
  readonly topic: string;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

/** The mails of the last 30 days, so that administrators can see what was sent to whom, even without a mail server. */
export interface Mailbox {
  ensureIndexes(): Promise<void>;
  /** Idempotent by the mail's id. */
  keep(mail: KeptMail): Promise<void>;
  listing(accountId: string, topic: string): CollectionSource<KeptMail>;
}

type MailDocument = Omit<KeptMail, 'id'> & { readonly _id: string };

const keptSeconds = 30 * 24 * 60 * 60;

export function createMailbox(connection: Connection): Mailbox {
  const mails = connection.collection<MailDocument>('mails');
  return {
    async ensureIndexes() {
      await ensureIndex(mails, { accountId: 1, topic: 1, createdAt: 1 });
      await ensureIndex(mails, { createdAt: 1 }, { name: 'kept_30_days', expireAfterSeconds: keptSeconds });
    },
    async keep({ id, ...mail }) {
      await unlessTaken(mails.insertOne({ _id: id, ...mail }, { writeConcern: durable }));
    },
    listing: (accountId, topic) =>
      createMongoSource<MailDocument, KeptMail>({
        collection: connection.collection('mails'),
        where: { accountId, topic },
        toRecord: ({ _id, ...mail }) => ({ id: _id, ...mail }),
      }),
  };
}
