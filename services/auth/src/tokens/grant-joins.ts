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
 * Those who ask at the same time are answered by one read, which begins after each of them has asked.
 * A read can wait for a majority of the replica set, so some run beside each other: nobody waits for the read before theirs.
 */
export const sharedReads = { concurrency: 4 };

/** A stage that puts what `localField` names, by primary key, beside a document. */
export const join = (from: string, localField: string, as: string) => ({
  $lookup: { from, localField, foreignField: '_id', as },
});

/** Stages that put the person and their accounts beside a document: by primary key, within the same command. */
export const personJoins = (personId: string) => [
  join(personCollection, personId, 'person'),
  { $unwind: { path: '$person', preserveNullAndEmptyArrays: true } },
  join(accountCollection, 'person.accountIds', 'accounts'),
];

/** Stages that put everything the life of a `grant` depends on beside the document that has it. */
export const grantJoins = (grant: string) => [
  join('token_families', `${grant}.familyId`, 'family'),
  join('authorizations', `${grant}.authorizationId`, 'authorization'),
  join(sessionCollection, `${grant}.sessionId`, 'session'),
  join(applicationCollection, `${grant}.applicationId`, 'application'),
  join(accountCollection, `${grant}.applicationAccountId`, 'applicationAccount'),
  ...personJoins(`${grant}.personId`),
];

/** Documents of another account than the grant's are ignored. `installed` is the application of the installation, which is not stored. */
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
 * Reads what says whether a token counts. Afterwards the server has a majority confirm that it is still the primary: one that
 * was cut off from the others and does not know of its successor yet would return tokens as they were before they were
 * revoked ("linearizable" read concern). Without a majority this is a 503.
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
