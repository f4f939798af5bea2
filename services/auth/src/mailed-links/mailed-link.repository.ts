import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { MailedLink } from './mailed-link';

type MailedLinkDocument = Omit<MailedLink, 'digest'> & { readonly _id: string };

/** Links of the whole installation: the account is not known when a link is followed. */
export interface MailedLinkRepository {
  insert(link: MailedLink): Promise<void>;
  find(digest: string): Promise<MailedLink | undefined>;
  /** Deletes the link; false when it was deleted already. Of concurrent calls only one gets true. */
  take(digest: string): Promise<boolean>;
}

const schema = new Schema<MailedLinkDocument>(
  {
    _id: String,
    purpose: { type: String, required: true },
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    address: { type: String, required: true },
    emailKey: { type: String, required: true },
    passwordSalt: { type: String, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'mailed_links', versionKey: false, writeConcern: durable },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createMailedLinkRepository(connection: Connection): MailedLinkRepository {
  const links = connection.model<MailedLinkDocument>('MailedLink', schema);
  return {
    async insert({ digest, ...link }) {
      await links.create({ _id: digest, ...link });
    },
    async find(digest) {
      const found = await links.findById(digest).lean();
      return found ? toMailedLink(found) : undefined;
    },
    async take(digest) {
      return (await links.deleteOne({ _id: digest })).deletedCount > 0;
    },
  };
}

const toMailedLink = ({ _id: digest, ...link }: MailedLinkDocument): MailedLink => ({ digest, ...link });
