import { invalidGrant } from './oauth-error';
import type { PresentedState, PersonKeys } from '../tokens/client-state.repository';
import type { Account } from '../directory/account';
import { emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import type { SsoConfiguration } from '../clients/sso-configuration';
import type { IdentityClaims } from './identity-claims';

/** The keys to look people up by, from unverified claims: at this point it is not known which claim the configuration uses. */
export const personKeysOf = ({ email, sub }: IdentityClaims): PersonKeys => ({
  ...(isIdentifier(email) && { emailKey: emailKeyOf(email) }),
  ...(isIdentifier(sub) && { authenticationId: sub }),
});

/**
 * The person whom verified claims identify. `accounts`: the application's account first, then its directory account.
 * `people`: the candidates found by the same claims. `invalid_grant` when there is no person, or a disabled one.
 */
export function resolvePerson(
  { accounts = [], people = [] }: Pick<PresentedState, 'accounts' | 'people'>,
  how: Pick<SsoConfiguration, 'identifier' | 'emailVerifiedRequired'>,
  claims: IdentityClaims,
): Person {
  const matches = how.identifier === 'primary_email' ? hasEmailOf(claims, how) : hasSubjectOf(claims);
  const [account, directory] = accounts;
  if (!account || account.disabledAt) throw invalidGrant('The account is disabled');
  // Both members are unique within an account: at most one person matches. The application's own account comes first.
  const findIn = (accountId: string) => people.find((person) => person.accountId === accountId && matches(person));
  const person = findIn(account.id) ?? (directory && !directory.disabledAt ? findIn(directory.id) : undefined);
  const where = directory ? 'the account or its directory account' : 'the account';
  if (!person) throw invalidGrant(`The subject token matches no person in ${where}`);
  if (person.disabledAt) throw invalidGrant('The person is disabled');
  return person;
}

/**
 * The accounts whose people the configuration may sign in: its own account, and those whose directory account it is.
 * Not the other way round: a session has all rights of the person, so an account must not vouch for people of its
 * directory account. (A token exchange may, since `caller-introspection` limits its tokens to the application's
 * account.)
 */
export const signInAccounts = (accounts: readonly Account[], { accountId }: Pick<SsoConfiguration, 'accountId'>) =>
  accounts.filter(({ id, directoryAccountId }) => id === accountId || directoryAccountId === accountId);

type Matches = (person: Person) => boolean;

/** Whether the claims have this verified address. Some providers send `email_verified` as text. */
function hasEmailOf(
  { email, email_verified: verified }: IdentityClaims,
  { emailVerifiedRequired }: Pick<SsoConfiguration, 'emailVerifiedRequired'>,
): Matches {
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

function hasSubjectOf({ sub }: IdentityClaims): Matches {
  if (!isIdentifier(sub)) throw invalidGrant('The subject token has no sub');
  return ({ authenticationID }) => authenticationID === sub;
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 320;
