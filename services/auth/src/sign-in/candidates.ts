import type { Account } from '../directory/account';
import type { AccountRepository } from '../directory/account.repository';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import { noAccount } from '../security/audit-entry';

/** A person whom an attempt to sign in may mean. */
export interface Candidate {
  readonly person: Person;
  readonly account: Account | undefined;
  /** Whether the right password lets them in. */
  readonly isAble: boolean;
}

/**
 * Whom an attempt may mean. The password is compared with one group after the other; a group of nobody at all stands
 * for an address that nobody has, which takes as long as one that somebody has.
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

/** An address belongs to one person of each account: most have one, who works for several customers may have some. */
const mostRead = 50;
/** Each costs a hash. Who is beyond that names the account. */
const mostCompared = 5;

export const isAble = (person: Person, account: Account | undefined): boolean =>
  person.verified && !person.disabledAt && account !== undefined && !account.disabledAt && person.password !== null;

/**
 * People of one address in all accounts, first the one who has signed in with this browser before, then the one of the
 * account that is named, then of its directory account, each in a group of their own. Those who cannot sign in are left
 * out while there are others: nothing that another account does with this address counts for or against them.
 */
export function createFindCandidates({ people, accounts }: Dependencies) {
  /** The same reads whatever is found where, so that their time gives nothing away. */
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
