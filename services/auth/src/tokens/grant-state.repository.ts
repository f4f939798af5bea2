import type { Connection } from 'mongoose';
import type { Application } from '../clients/application';
import type { Account } from '../directory/account';
import { toAccount } from '../directory/account.repository';
import type { Person } from '../directory/person';
import { toPerson } from '../directory/person.document';
import type { PersonalAccessToken } from './personal-access-token';
import { toPersonalAccessToken } from './personal-access-token.repository';
import type { AccessToken, RefreshToken } from './token';
import { grantJoins, personJoins, readPresent, toGrantState } from './grant-joins';
import type { JoinedGrant, JoinedPerson } from './grant-joins';
import type { GrantState } from './liveness';

/** What a request brought, with the present state of all that its life depends on. */
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

/** Everything that says whether a token counts, by the digest of its secret: one read each, never of a cache. */
export interface GrantStateRepository {
  findAccess(digest: string): Promise<Granted<AccessToken> | undefined>;
  findRefresh(digest: string): Promise<Granted<RefreshToken> | undefined>;
  findPersonal(digest: string): Promise<PersonalState | undefined>;
}

export function createGrantStateRepository(connection: Connection, installed?: Application): GrantStateRepository {
  async function first<Found extends object>(collection: string, filter: object, joins: object[]) {
    const [found] = await readPresent<Found>(connection.collection(collection), [{ $match: filter }, ...joins]);
    return found;
  }
  const granted = <Subject extends object>(collection: string, filter: object) =>
    first<Subject & JoinedGrant>(collection, filter, grantJoins('grant'));

  return {
    async findAccess(digest) {
      const found = await granted<AccessToken>('access_tokens', { _id: digest });
      return found && { subject: { ...found, digest }, state: toGrantState(found.grant, found, installed) };
    },
    async findRefresh(digest) {
      const found = await granted<RefreshToken>('refresh_tokens', { _id: digest });
      return found && { subject: { ...found, digest }, state: toGrantState(found.grant, found, installed) };
    },
    async findPersonal(digest) {
      type Stored = Parameters<typeof toPersonalAccessToken>[0];
      const joins = personJoins('personId');
      const found = await first<Stored & JoinedPerson>('personal_access_tokens', { digest }, joins);
      if (!found) return undefined;
      const { person, accounts, ...token } = found;
      return {
        token: toPersonalAccessToken(token),
        person: person?.accountId === token.accountId ? toPerson(person) : undefined,
        accounts: accounts.map(toAccount),
      };
    },
  };
}
