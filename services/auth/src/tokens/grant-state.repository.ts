import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import type { Connection } from 'mongoose';
import type { Application } from '../clients/application';
import type { Account } from '../directory/account';
import { toAccount } from '../directory/account.repository';
import type { Person } from '../directory/person';
import { toPerson } from '../directory/person.document';
import type { PersonalAccessToken } from './personal-access-token';
import { toPersonalAccessToken } from './personal-access-token.repository';
import type { AccessToken, RefreshToken } from './token';
import { grantJoins, personJoins, readPresent, sharedReads, toGrantState } from './grant-joins';
import type { JoinedGrant, JoinedPerson } from './grant-joins';
import type { GrantState } from './liveness';
import type { GrantReference } from './token-family';

/** The token or code of a request, with the present state of everything its validity depends on. */
export interface Granted<Subject> {
  readonly subject: Subject;
  readonly state: GrantState;
}

/** `accounts` are those in which the person has roles, their own among them. */
export interface PersonalState {
  readonly token: PersonalAccessToken;
  readonly person: Person | undefined;
  readonly accounts: readonly Account[];
}

/** Reads everything that decides whether a token is valid, by the digest of its secret. Never cached. */
export interface GrantStateRepository {
  findAccess(digest: string): Promise<Granted<AccessToken> | undefined>;
  findRefresh(digest: string): Promise<Granted<RefreshToken> | undefined>;
  findPersonal(digest: string): Promise<PersonalState | undefined>;
}

export function createGrantStateRepository(connection: Connection, installed?: Application): GrantStateRepository {
  const findGranted = <Subject extends { readonly grant: GrantReference }>(collection: string) =>
    createBatcher<string, Granted<Subject & { digest: string }> | undefined>(async (digests) => {
      const found = await readPresent<Subject & JoinedGrant & { readonly _id: string }>(
        connection.collection(collection),
        [{ $match: { _id: { $in: [...new Set(digests)] } } }, ...grantJoins('grant')],
      );
      const byDigest = new Map(found.map((token) => [token._id, token]));
      return digests.map((digest) => {
        const joined = byDigest.get(digest);
        return joined && { subject: { ...joined, digest }, state: toGrantState(joined.grant, joined, installed) };
      });
    }, sharedReads);

  const findPersonal = createBatcher<string, PersonalState | undefined>(async (digests) => {
    type Stored = Parameters<typeof toPersonalAccessToken>[0];
    const found = await readPresent<Stored & JoinedPerson & { readonly digest: string }>(
      connection.collection('personal_access_tokens'),
      [{ $match: { digest: { $in: [...new Set(digests)] } } }, ...personJoins('personId')],
    );
    const byDigest = new Map(found.map((token) => [token.digest, token]));
    return digests.map((digest) => {
      const joined = byDigest.get(digest);
      if (!joined) return undefined;
      const { person, accounts, ...token } = joined;
      return {
        token: toPersonalAccessToken(token),
        person: person?.accountId === token.accountId ? toPerson(person) : undefined,
        accounts: accounts.map(toAccount),
      };
    });
  }, sharedReads);

  return {
    findAccess: findGranted<AccessToken>('access_tokens'),
    findRefresh: findGranted<RefreshToken>('refresh_tokens'),
    findPersonal,
  };
}
