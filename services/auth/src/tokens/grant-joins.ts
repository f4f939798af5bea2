import { AppError } from '@itsm/shared/base/errors/app-error';
import { electionMilliseconds } from '@itsm/shared/stores/mongo/connect-mongo';
import { mongo } from 'mongoose';
import type { Collection } from 'mongoose';
import { accountCollection, toAccount } from '../directory/account.repository';
import type { Application } from '../clients/application';
import { applicationCollection, toApplication } from '../clients/application.repository';
import { personCollection, toPerson } from '../directory/person.document';
import { sessionCollection, toSession } from '../sessions/session.repository';
import { toAuthorization } from './authorization.repository';
import type { GrantState } from './liveness';
import type { GrantReference, TokenFamily } from './token-family';

type Stored<Mapper extends (stored: never) => unknown> = Parameters<Mapper>[0];

/** A person with the accounts they have roles in. */
export interface JoinedPerson {
  readonly person?: Stored<typeof toPerson>;
  readonly accounts: readonly Stored<typeof toAccount>[];
}

export interface JoinedGrant extends JoinedPerson {
  readonly family: readonly TokenFamily[];
  readonly authorization: readonly Stored<typeof toAuthorization>[];
  readonly session: readonly Stored<typeof toSession>[];
  readonly application: readonly Stored<typeof toApplication>[];
  readonly applicationAccount: readonly Stored<typeof toAccount>[];
}

/**
 * Batches concurrent requests into one read, which begins after all of them have arrived. A read can wait for a
 * majority of the replica set, so several batches run concurrently, and a new batch need not wait for the previous one.
 */
export const sharedReads = { concurrency: 4 };

/** A `$lookup` stage by primary key: joins the document that `localField` references. */
export const join = (from: string, localField: string, as: string) => ({
  $lookup: { from, localField, foreignField: '_id', as },
});

/** Stages that join the person and their accounts, by primary key, in the same command. */
export const personJoins = (personId: string) => [
  join(personCollection, personId, 'person'),
  { $unwind: { path: '$person', preserveNullAndEmptyArrays: true } },
  join(accountCollection, 'person.accountIds', 'accounts'),
];

/** Stages that join everything the validity of a `grant` depends on. */
export const grantJoins = (grant: string) => [
  join('token_families', `${grant}.familyId`, 'family'),
  join('authorizations', `${grant}.authorizationId`, 'authorization'),
  join(sessionCollection, `${grant}.sessionId`, 'session'),
  join(applicationCollection, `${grant}.applicationId`, 'application'),
  join(accountCollection, `${grant}.applicationAccountId`, 'applicationAccount'),
  ...personJoins(`${grant}.personId`),
];

/**
 * Converts the joined documents; those of another account than the grant's are ignored. `installed`: the installation's
 * application, which is not stored.
 */
export function toGrantState(
  { accountId, personId, applicationAccountId, applicationId }: GrantReference,
  joined: JoinedGrant,
  installed: Application | undefined,
): GrantState {
  const accounts = joined.accounts.map(toAccount);
  const person = joined.person && toPerson(joined.person);
  return {
    family: joined.family.find((family) => family.grant.accountId === accountId),
    authorization: joined.authorization.map(toAuthorization).find((found) => found.accountId === accountId),
    session: joined.session
      .map(toSession)
      .find((session) => session.accountId === accountId && session.personId === personId),
    application: [...joined.application.map(toApplication), ...(installed ? [installed] : [])].find(
      (found) => found.id === applicationId && found.accountId === applicationAccountId,
    ),
    person: person?.accountId === accountId ? person : undefined,
    account: accounts.find(({ id }) => id === accountId),
    applicationAccount: joined.applicationAccount.map(toAccount)[0],
    accounts,
  };
}

const maxTimeExpired = 50;

/**
 * Reads the state of tokens with linearizable semantics: after the read, a majority confirms that the server is still
 * the primary. A primary that was cut off and does not know its successor would otherwise return tokens as they were
 * before revocation. Without a majority it throws a 503.
 */
export async function readPresent<Found extends object>(
  collection: Collection,
  stages: readonly object[],
): Promise<Found[]> {
  try {
    const present = { readConcern: { level: 'linearizable' }, maxTimeMS: electionMilliseconds } as const;
    return await collection.aggregate<Found>([...stages], present).toArray();
  } catch (error) {
    const hasNoMajority = error instanceof mongo.MongoServerError && error.code === maxTimeExpired;
    throw hasNoMajority ? new AppError('service_unavailable', 'Service Unavailable') : error;
  }
}
