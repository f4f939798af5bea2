import { invalidGrant } from './oauth-error';
import type { Brought, Meant } from '../tokens/client-state.repository';
import type { Account } from '../directory/account';
import { emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import type { SsoConfiguration } from '../clients/sso-configuration';
import type { IdentityClaims } from './identity-claims';

/** Whom claims may mean, before it is known whether they are true and which of them counts. */
export const meantBy = ({ email, sub }: IdentityClaims): Meant => ({
  ...(isIdentifier(email) && { emailKey: emailKeyOf(email) }),
  ...(isIdentifier(sub) && { authenticationId: sub }),
});

/**
 * The person that verified claims mean in an application's account, the first of `accounts`, or in its directory
 * account, the second; `invalid_grant` when there is none who may act. `people` are those whom the same claims may mean.
 */
export function resolvePerson(
  { accounts = [], people = [] }: Pick<Brought, 'accounts' | 'people'>,
  how: Pick<SsoConfiguration, 'identifier' | 'emailVerifiedRequired'>,
  claims: IdentityClaims,
): Person {
  const isMeant = how.identifier === 'primary_email' ? hasEmailOf(claims, how) : hasSubjectOf(claims);
  const [account, directory] = accounts;
  if (!account || account.disabledAt) throw invalidGrant('The account is disabled');
  // Both members are unique within an account: at most one person matches. The application's own account comes first.
  const findIn = (accountId: string) => people.find((person) => person.accountId === accountId && isMeant(person));
  const person = findIn(account.id) ?? (directory && !directory.disabledAt ? findIn(directory.id) : undefined);
  const where = directory ? 'the account or its directory account' : 'the account';
  if (!person) throw invalidGrant(`The subject token matches no person in ${where}`);
  if (person.disabledAt) throw invalidGrant('The person is disabled');
  return person;
}

/**
 * The accounts whose people the configuration may sign in: its own, and those that have this one as their directory account. A
 * session reaches all that the person may do, so that an account cannot say who somebody of its directory account is. (What a
 * token exchange gives for them is valid in the account of the application alone, by `caller-introspection`.)
 */
export const signInAccounts = (accounts: readonly Account[], { accountId }: Pick<SsoConfiguration, 'accountId'>) =>
  accounts.filter(({ id, directoryAccountId }) => id === accountId || directoryAccountId === accountId);

type IsMeant = (person: Person) => boolean;

/** Some providers write the flag as text. An address that is not verified proves nothing. */
function hasEmailOf(
  { email, email_verified: verified }: IdentityClaims,
  { emailVerifiedRequired }: Pick<SsoConfiguration, 'emailVerifiedRequired'>,
): IsMeant {
  if (!isIdentifier(email)) throw invalidGrant('The subject token has no email');
  if (!isPlain(email)) throw invalidGrant('The email of the subject token has characters that stand for others');
  if (verified === false || verified === 'false') throw invalidGrant('The email of the subject token is not verified');
  if (emailVerifiedRequired && verified !== true && verified !== 'true') {
    throw invalidGrant('The subject token does not say email_verified: true, as the SSO configuration requires');
  }
  const key = emailKeyOf(email);
  return ({ primaryEmail, verified }) => verified && emailKeyOf(primaryEmail) === key;
}

/** Whether the address is in normal form: no full-width letters, ligatures, spaces or control characters. */
const isPlain = (email: string): boolean => email === email.normalize('NFKC') && !/[\s\p{Cc}\p{Cf}]/u.test(email);

function hasSubjectOf({ sub }: IdentityClaims): IsMeant {
  if (!isIdentifier(sub)) throw invalidGrant('The subject token has no sub');
  return ({ authenticationId }) => authenticationId === sub;
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 320;
