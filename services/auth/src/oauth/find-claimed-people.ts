import type { AccountRepository } from '../directory/account.repository';
import type { PersonRepository } from '../directory/person.repository';
import type { PresentedState } from '../tokens/client-state.repository';
import type { IdentityClaims } from './identity-claims';
import { invalidGrant } from './oauth-error';

/** Finds the person that the claims identify, in an account and its directory account, as a token exchange does. */
export type FindClaimedPeople = (
  accountId: string,
  claims: IdentityClaims,
) => Promise<Required<Pick<PresentedState, 'accounts' | 'people'>>>;

interface Dependencies {
  readonly people: Pick<PersonRepository, 'findByEmail' | 'findByAuthenticationId'>;
  readonly accounts: Pick<AccountRepository, 'find'>;
}

export const createFindClaimedPeople =
  ({ people, accounts }: Dependencies): FindClaimedPeople =>
  async (accountId, { email, sub }) => {
    const account = await accounts.find(accountId);
    if (!account) throw invalidGrant('The account is gone');
    const directory = account.directoryAccountId === null ? undefined : await accounts.find(account.directoryAccountId);
    const there = [account, ...(directory ? [directory] : [])];
    const found = await Promise.all(
      there.map(({ id }) =>
        Promise.all([
          typeof email === 'string' ? people.findByEmail(id, email) : Promise.resolve(undefined),
          typeof sub === 'string' ? people.findByAuthenticationId(id, sub) : Promise.resolve(undefined),
        ]),
      ),
    );
    return { accounts: there, people: found.flat().filter((person) => person !== undefined) };
  };
