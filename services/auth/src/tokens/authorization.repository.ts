import type { Slice } from '@itsm/shared/api/graphql/connections';
import { oncePerCall } from '@itsm/shared/base/concurrency/present-call';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { repeatOnce } from '@itsm/shared/stores/mongo/repeat-once';
import { Schema } from 'mongoose';
import type { Connection, QueryFilter } from 'mongoose';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { Application } from '../clients/application';
import type { Authorization } from './authorization';

type AuthorizationDocument = Omit<Authorization, 'id'> & { readonly _id: string };

/** An application, with the version of its scopes that valid authorizations have. */
type Granting = Pick<Application, 'id' | 'scopesVersion'>;

/** `accountId` is the person's. */
export interface AuthorizationRepository {
  find(accountId: string, id: string): Promise<Authorization | undefined>;
  findOpen(
    accountId: string,
    personId: number,
    applicationId: number,
    scopesVersion: number,
  ): Promise<Authorization | undefined>;
  /** Open authorizations of the application for this version of its scopes, at most one for each person, ordered by person. */
  listOfApplication(applicationAccountId: string, application: Granting, slice: Slice): Promise<Authorization[]>;
  countOfApplication(applicationAccountId: string, application: Granting): Promise<number>;
  /** Finds revoked ones too. */
  findOfApplication(applicationAccountId: string, id: string): Promise<Authorization | undefined>;
  listOpen(accountId: string, personId: number): Promise<Authorization[]>;
  /** Inserts the authorization unless the person has an open one for the same scopes; returns the stored one. */
  insertOrFind(authorization: Authorization): Promise<Authorization>;
  /** Adds allowed actions; null for all actions. */
  allow(accountId: string, id: string, actions: readonly string[] | null): Promise<void>;
  /** Adds a redirect URI for which the authorization is valid. */
  addRedirectUri(accountId: string, id: string, redirectUri: string): Promise<void>;
  /** Closes every open authorization of the person for the application. */
  revoke(accountId: string, personId: number, applicationId: number, now: Date): Promise<void>;
  touch(accountId: string, id: string, now: Date): Promise<void>;
}

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = { touch: 'the next use notes its time again' };

const schema = new Schema<AuthorizationDocument>(
  {
    _id: String,
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    applicationAccountId: { type: String, required: true },
    applicationId: { type: Number, required: true },
    scopesVersion: { type: Number, required: true },
    actions: { type: [String], default: null },
    redirectUris: { type: [String], default: [] },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
  },
  { collection: 'authorizations', versionKey: false, writeConcern: durable },
);
schema.index(
  { personId: 1, applicationId: 1, scopesVersion: 1 },
  { unique: true, partialFilterExpression: { revokedAt: null } },
);
schema.index({ applicationId: 1, scopesVersion: 1, personId: 1 }, { partialFilterExpression: { revokedAt: null } });

export function createAuthorizationRepository(connection: Connection): AuthorizationRepository {
  const authorizations = connection.model<AuthorizationDocument>('Authorization', schema);
  const first = async (filter: QueryFilter<AuthorizationDocument>): Promise<Authorization | undefined> => {
    const found = await authorizations.findOne(filter).lean();
    return found ? toAuthorization(found) : undefined;
  };
  const findOpen: AuthorizationRepository['findOpen'] = (accountId, personId, applicationId, scopesVersion) =>
    first({ accountId, personId, applicationId, scopesVersion, revokedAt: null });
  return {
    find: (accountId, id) => first({ _id: id, accountId }),
    findOpen,
    async listOfApplication(applicationAccountId, application, { after, before, limit, from }) {
      const range = { ...(after !== undefined && { $gt: after }), ...(before !== undefined && { $lt: before }) };
      const within = Object.keys(range).length > 0 ? { personId: range } : {};
      const found = await readForCaller(connection, 'light', (options) =>
        authorizations
          .find({ ...openOf(applicationAccountId, application), ...within })
          .sort({ personId: from === 'start' ? 1 : -1 })
          .limit(limit)
          .setOptions(options())
          .lean(),
      );
      return (from === 'start' ? found : found.reverse()).map(toAuthorization);
    },
    // Memoized per call, because each alias of the field would run its own count.
    countOfApplication: (applicationAccountId, application) =>
      oncePerCall(`count authorizations ${application.id} ${application.scopesVersion}`, () =>
        readForCaller(connection, 'heavy', (options) =>
          authorizations.countDocuments(openOf(applicationAccountId, application), options()),
        ),
      ),
    findOfApplication: (applicationAccountId, id) => first({ _id: id, applicationAccountId }),
    async listOpen(accountId, personId) {
      const found = await authorizations.find({ accountId, personId, revokedAt: null }).sort({ createdAt: -1 }).lean();
      return found.map(toAuthorization);
    },
    async insertOrFind(authorization) {
      const { id, accountId, personId, applicationId, scopesVersion } = authorization;
      const attempt = async () => {
        const open = await findOpen(accountId, personId, applicationId, scopesVersion);
        if (open) return open;
        return (await unlessTaken(authorizations.create({ ...authorization, _id: id }))) ? authorization : stale;
      };
      return writeAgain(attempt, { busy });
    },
    async allow(accountId, id, actions) {
      const change = actions ? { $addToSet: { actions: { $each: [...actions] } } } : { $set: { actions: null } };
      // `null` already includes all actions.
      await authorizations.updateOne({ _id: id, accountId, actions: { $ne: null } }, change);
    },
    async addRedirectUri(accountId, id, redirectUri) {
      await authorizations.updateOne({ _id: id, accountId }, { $addToSet: { redirectUris: redirectUri } });
    },
    async revoke(accountId, personId, applicationId, now) {
      const open = { accountId, personId, applicationId, revokedAt: null };
      await repeatOnce(async () => authorizations.updateMany(open, { $set: { revokedAt: now } }));
    },
    async touch(accountId, id, now) {
      await authorizations.updateOne({ _id: id, accountId }, { $set: { lastUsedAt: now } }, { writeConcern: { w: 1 } });
    },
  };
}

const busy = (): never => {
  throw new AppError('service_unavailable', 'The authorization is being given and taken back too often; try again');
};

const openOf = (applicationAccountId: string, { id: applicationId, scopesVersion }: Granting) => ({
  applicationAccountId,
  applicationId,
  scopesVersion,
  revokedAt: null,
});

export const toAuthorization = ({ _id, ...fields }: AuthorizationDocument): Authorization => ({ id: _id, ...fields });
