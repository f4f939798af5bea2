import type { Account } from '../directory/account';
import type { AccountRepository } from '../directory/account.repository';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import { noAccount } from '../security/audit-entry';

/** A person whom the sign-in attempt may be for. */
export interface Candidate {
  readonly person: Person;
  readonly account: Account | undefined;
  /** Whether the person can sign in with the right password. */
  readonly isAble: boolean;
}

/**
 * The people whom an attempt may be for. The password is compared with one group after the other. For an unknown address there is
 * one group with no person, so that it takes as long as a known one.
 */
export interface Candidates {
  readonly all: readonly Candidate[];
  readonly groups: readonly (readonly (Candidate | undefined)[])[];
}

export interface Asked {
  readonly email: string;
  readonly accountId: string | undefined;
  readonly knownBrowserOf: (person: Person) => string | undefined;
}

interface Dependencies {
  readonly people: Pick<PersonRepository, 'findByEmail' | 'listByEmail'>;
  readonly accounts: Pick<AccountRepository, 'find' | 'findMany'>;
}

/** An address belongs to at most one person in each account. Most people have one account; consultants may have several. */
const mostRead = 50;
/** Each comparison costs a hash. A person beyond this number has to give the account as well. */
const mostCompared = 5;

export const isAble = (person: Person, account: Account | undefined): boolean =>
  person.verified && !person.disabledAt && account !== undefined && !account.disabledAt && person.password !== null;

/**
 * The people of all accounts with one address. First comes the person who has signed in with this browser before, then that of the
 * named account, then that of its directory account, each in a group of its own. People who cannot sign in are left out when there
 * are others, so that no account can affect the sign-in to another by adding a person with the same address.
 */
export function createFindCandidates({ people, accounts }: Dependencies) {
  /** Makes the same reads whether or not people are found, so that timing reveals nothing. */
  async function load({ email, accountId = noAccount }: Asked) {
    const directory = (await accounts.find(accountId))?.directoryAccountId ?? noAccount;
    const found = await Promise.all([
      people.findByEmail(accountId, email),
      people.findByEmail(directory, email),
      people.listByEmail(email, mostRead),
    ]);
    const byId = new Map(found.flat().flatMap((person) => (person ? [[person.id, person] as const] : [])));
    const ids = [noAccount, ...[...byId.values()].map((person) => person.accountId)];
    const accountsById = new Map((await accounts.findMany(ids)).map((account) => [account.id, account]));
    const candidates = [...byId.values()].map((person): Candidate => {
      const account = accountsById.get(person.accountId);
      return { person, account, isAble: isAble(person, account) };
    });
    return { candidates, directory };
  }

  return async (asked: Asked): Promise<Candidates> => {
    const { candidates, directory } = await load(asked);
    const rankOf = ({ person }: Candidate): number => {
      if (asked.knownBrowserOf(person) !== undefined) return 0;
      if (person.accountId === asked.accountId) return 1;
      return person.accountId === directory ? 2 : 3;
    };
    const able = candidates.filter((candidate) => candidate.isAble);
    const all = (able.length > 0 ? able : candidates)
      .sort((one, other) => rankOf(one) - rankOf(other) || one.person.id - other.person.id)
      .slice(0, mostCompared);
    if (all.length === 0) return { all, groups: [[undefined]] };
    const groups = [0, 1, 2, 3].map((rank) => all.filter((candidate) => rankOf(candidate) === rank));
    return { all, groups };
  };
}
