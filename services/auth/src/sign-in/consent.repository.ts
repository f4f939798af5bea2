import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { AuthorizationRequest } from './authorization-request';

/** A consent question to one person in one session; it can be answered once, within ten minutes. */
export interface Consent {
  readonly id: string;
  readonly sessionDigest: string;
  readonly accountId: string;
  readonly personId: number;
  readonly request: AuthorizationRequest;
  /** The version of the scopes that the page shows. */
  readonly scopesVersion: number;
  readonly expiresAt: Date;
}

type ConsentDocument = Omit<Consent, 'id'> & { readonly _id: string };
type Asked = Pick<Consent, 'id' | 'accountId' | 'personId' | 'sessionDigest'>;

/** Finds a consent only for its own session and person. */
export interface ConsentRepository {
  insert(consent: Consent): Promise<void>;
  find(asked: Asked, now: Date): Promise<Consent | undefined>;
  /** Deletes the consent and returns it. Of concurrent calls only one gets it. */
  take(asked: Asked, now: Date): Promise<Consent | undefined>;
}

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = {
  insert: 'the person is asked again',
  take: 'what is answered a second time is granted a second time, which changes nothing',
};

const schema = new Schema<ConsentDocument>(
  {
    _id: String,
    sessionDigest: { type: String, required: true },
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    request: { type: Schema.Types.Mixed, required: true },
    scopesVersion: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'consents', versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createConsentRepository(connection: Connection): ConsentRepository {
  const consents = connection.model<ConsentDocument>('Consent', schema);
  const filterOf = ({ id, ...asked }: Asked, now: Date) => ({ _id: id, ...asked, expiresAt: { $gt: now } });
  return {
    async insert({ id, ...fields }) {
      await consents.create({ _id: id, ...fields });
    },
    async find(asked, now) {
      return toConsent(await consents.findOne(filterOf(asked, now)).lean());
    },
    async take(asked, now) {
      return toConsent(await consents.findOneAndDelete(filterOf(asked, now)).lean());
    },
  };
}

function toConsent(found: ConsentDocument | null): Consent | undefined {
  if (!found) return undefined;
  const { _id, ...fields } = found;
  return { id: _id, ...fields };
}
