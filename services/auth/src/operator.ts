import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Role } from '@itsm/shared/contracts/directory';
import type { ApplicationCredentials, ApplicationInput } from './clients/ensure-application';
import type { Clients } from './clients/module';
import { createAccountCreation } from './create-account';
import type { AccountReady, AccountRequest } from './create-account';
import type { AccountInput } from './directory/account.input';
import type { Backfill } from './directory/backfill.service';
import type { Directory } from './directory/module';
import type { PersonInput } from './directory/person.service';
import type { FactorsModule } from './factors/module';
import type { MailedLinks } from './mailed-links/module';
import type { OAuth } from './oauth/module';
import type { Tokens } from './tokens/module';
import type { PersonalAccessTokenInput } from './tokens/personal-access-token.service';

/** Sets an installation up from outside of any account: its first people, and demo data. Every call can be repeated. */
export interface Operator {
  /** An account with its first administrator, for which it needs a person's address. */
  createAccount(request: AccountRequest): Promise<AccountReady>;
  hasAccount(accountId: string): Promise<boolean>;
  /** The account alone. */
  ensureAccount(input: AccountInput): Promise<void>;
  /** By account and address; sets the password, and takes no role away. */
  ensurePerson(input: PersonInput & { readonly accountId: string }): Promise<{ id: number }>;
  /** Further roles in `inAccountId` for a person of `accountId`. */
  giveRoles(accountId: string, email: string, inAccountId: string, roles: readonly Role[]): Promise<{ id: number }>;
  /** For a person who was made without one; other members stay as they are. */
  setPassword(accountId: string, email: string, password: string): Promise<void>;
  /** A link for choosing a password, for installations without mail. */
  makeLink(accountId: string, email: string): Promise<{ readonly url: string; readonly expiresAt: Date }>;
  /** Removes all second factors of a person who has lost them. */
  removeSecondFactors(accountId: string, email: string): Promise<void>;
  /** When it returns, no token of a disabled account counts any more. */
  setAccountDisabled(accountId: string, disabled: boolean): Promise<void>;
  /** Publishes everything that other services keep a copy of. */
  readonly backfill: Backfill;
  /** By account and name; always with a fresh client id and secret, former ones are deleted. */
  ensureApplication(input: ApplicationInput & { readonly accountId: string }): Promise<ApplicationCredentials>;
  /** Takes the place of the person's token of the same name. */
  createPersonalAccessToken(
    input: PersonalAccessTokenInput & { readonly personId: number },
  ): Promise<{ token: string }>;
}

interface Modules {
  readonly factors: Pick<FactorsModule, 'factors'>;
  readonly directory: Directory;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly oauth: OAuth;
  readonly mailedLinks: MailedLinks;
}

/** What tests and benchmarks do without a page or a call. */
interface Services
  extends
    Pick<Directory, 'persons' | 'personAdministration'>,
    Pick<Clients, 'applications' | 'clientTokens' | 'ssoConfigurations'>,
    Pick<Tokens, 'authorizations' | 'keys'>,
    Pick<OAuth, 'alerts'> {}

/** What is done beside pages and calls: by the operator, and by tests and benchmarks. */
export interface OperatorAccess {
  readonly operator: Operator;
  readonly services: Services;
}

export function createOperatorAccess(modules: Modules): OperatorAccess {
  const { directory, clients, tokens, oauth } = modules;
  const { persons, personAdministration } = directory;
  const { applications, clientTokens, ssoConfigurations } = clients;
  const { authorizations, keys } = tokens;
  const { alerts } = oauth;
  return {
    operator: createOperator(modules),
    services: {
      persons,
      personAdministration,
      applications,
      clientTokens,
      ssoConfigurations,
      authorizations,
      keys,
      alerts,
    },
  };
}

function createOperator({ directory, clients, tokens, mailedLinks, factors: { factors } }: Modules): Operator {
  const { accounts, accountService, accountAdministration, people, persons, backfill } = directory;
  const { applications } = clients;
  const { personalTokens } = tokens;
  return {
    createAccount: createAccountCreation({ accountService, accounts, persons, people }),
    hasAccount: async (accountId) => (await accounts.find(accountId)) !== undefined,
    async ensureAccount(input) {
      await accountService.ensure(input);
    },
    ensurePerson: ({ accountId, ...input }) => persons.ensure(accountId, input),
    giveRoles: (accountId, email, inAccountId, roles) => persons.giveRoles(accountId, email, inAccountId, roles),
    setPassword: (accountId, email, password) => persons.setPassword(accountId, email, password),
    makeLink: (accountId, email) => mailedLinks.makeLink(accountId, email),
    async removeSecondFactors(accountId, email) {
      const person = await people.findByEmail(accountId, email);
      if (!person) throw notFound();
      await factors.removeAll(accountId, person);
    },
    async setAccountDisabled(accountId, disabled) {
      await accountAdministration.setDisabled(accountId, disabled);
    },
    backfill,
    ensureApplication: ({ accountId, ...input }) => applications.ensure(accountId, input),
    async createPersonalAccessToken({ personId, ...input }) {
      const person = await people.findAnywhere(personId);
      if (!person) throw notFound();
      return { token: await personalTokens.replace(person.accountId, personId, input) };
    },
  };
}
