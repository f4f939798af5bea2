import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Role } from '@itsm/shared/contracts/directory';
import type { Account } from './directory/account';
import type { AccountRepository } from './directory/account.repository';
import type { AccountInput, AccountService } from './directory/account.service';
import type { PersonRepository } from './directory/person.repository';
import type { PersonService } from './directory/person.service';

/** The administrator. With a name: a person to create, or to give this password. Without a name: an existing person. */
export interface Administrator {
  readonly email: string;
  readonly name?: string;
  readonly password?: string;
}

export interface AccountRequest {
  readonly account: AccountInput;
  readonly administrator: Administrator | undefined;
}

/** The account and its administrator as they are after the call. */
export interface AccountReady {
  readonly account: Account;
  readonly administrator: { readonly id: number; readonly name: string } | undefined;
}

interface Dependencies {
  readonly accountService: AccountService;
  readonly accounts: AccountRepository;
  readonly persons: PersonService;
  readonly people: PersonRepository;
}

const roles: readonly Role[] = ['account_administrator', 'specialist'];

/** Creates an account with its first administrator. Idempotent, also for concurrent calls; a repeat removes nothing. */
export function createAccountCreation({ accountService, accounts, persons, people }: Dependencies) {
  /** The account of the person with the address: this one, or its directory account. */
  async function homeOf({ id, directoryAccountId }: AccountInput, email: string): Promise<string> {
    const directory = directoryAccountId ?? (await accounts.find(id))?.directoryAccountId;
    for (const home of [id, ...(directory ? [directory] : [])]) {
      if (await people.findByEmail(home, email)) return home;
    }
    const nobody = directory
      ? `Neither account ${id} nor its directory account ${directory} has anybody`
      : `Account ${id} has nobody`;
    const how = '--administrator-name and PERSON_PASSWORD make somebody new';
    throw validationFailed([['administrator', `${nobody} with the address ${email}; ${how}`]]);
  }

  return async ({ account: input, administrator }: AccountRequest): Promise<AccountReady> => {
    const { email, name, password } = administrator ?? {};
    const home = email !== undefined && name === undefined ? await homeOf(input, email) : undefined;
    const account = await accountService.ensure(input);
    if (email === undefined) return { account, administrator: undefined };
    if (home !== undefined) return { account, administrator: await persons.giveRoles(home, email, account.id, roles) };
    const person = { name: name ?? email, primaryEmail: email, password: password ?? '', roles };
    const { id } = await persons.ensure(account.id, person);
    return { account, administrator: { id, name: person.name } };
  };
}
