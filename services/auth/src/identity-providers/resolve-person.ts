import type { Account } from '../accounts/account';
import { invalidGrant } from '../grants/oauth-error';
import type { Person } from '../people/person';
import type { PersonRepository } from '../people/person.repository';
import type { PersonIdentifier } from '../sso-configurations/sso-configuration';
import type { IdentityClaims } from './identity-claims';

/**
 * The person that verified claims mean in an application's account, the first of `accounts`, or in its directory
 * account, the second; `invalid_grant` when that is nobody who may act.
 */
export type ResolvePerson = (
  accounts: readonly Account[],
  identifier: PersonIdentifier,
  claims: IdentityClaims,
) => Promise<Person>;

type Find = (accountId: string) => Promise<Person | undefined>;

/** Both members are unique within an account, so that nobody is meant twice; the application's own account comes first. */
export function createResolvePerson(people: PersonRepository): ResolvePerson {
  const finderOf = (identifier: PersonIdentifier, claims: IdentityClaims): Find => {
    if (identifier === 'primary_email') {
      const email = emailOf(claims);
      return (accountId) => people.findByEmail(accountId, email);
    }
    const subject = subjectOf(claims);
    return (accountId) => people.findByAuthenticationId(accountId, subject);
  };

  async function findIn([account, directory]: readonly Account[], find: Find): Promise<Person | undefined> {
    if (!account || account.disabledAt) throw invalidGrant('The account is disabled');
    const person = await find(account.id);
    return person || !directory || directory.disabledAt ? person : find(directory.id);
  }

  return async (accounts, identifier, claims) => {
    const person = await findIn(accounts, finderOf(identifier, claims));
    if (!person) throw invalidGrant('The subject token names nobody in the account or its directory account');
    if (person.disabledAt) throw invalidGrant('The person is disabled');
    return person;
  };
}

/** Some providers write the flag as text. An address that nobody proved proves nothing. */
function emailOf({ email, email_verified: verified }: IdentityClaims): string {
  if (!isIdentifier(email)) throw invalidGrant('The subject token has no email');
  if (verified === false || verified === 'false') throw invalidGrant('The email of the subject token is not verified');
  return email;
}

function subjectOf({ sub }: IdentityClaims): string {
  if (!isIdentifier(sub)) throw invalidGrant('The subject token has no sub');
  return sub;
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 320;
