import { notFound } from '@itsm/shared/base/errors/app-error';
import type { ComposedApp } from '@itsm/shared/running/compose-app';
import type { Role } from '@itsm/shared/contracts/directory';
import type { ApplicationCredentials, ApplicationInput } from './clients/ensure-application';
import type { Clients } from './clients/module';
import { createAccountCreation } from './create-account';
import type { AccountReady, AccountRequest } from './create-account';
import type { AccountInput } from './directory/account.service';
import type { Backfill } from './directory/backfill.service';
import type { Directory } from './directory/module';
import type { PersonInput } from './directory/person.service';
import type { FactorsModule } from './factors/module';
import type { MailedLinks } from './mailed-links/module';
import type { OAuth } from './oauth/module';
import type { Tokens } from './tokens/module';
import type { PersonalAccessTokenInput } from './tokens/personal-access-token.service';

/** Administration across accounts, for the operator: first people, demo data, recovery. Every call is idempotent. */
export interface Operator {
  /** An account with its first administrator, for which it needs a person's address. */
  createAccount(request: AccountRequest): Promise<AccountReady>;
  hasAccount(accountId: string): Promise<boolean>;
  /** Creates or updates the account only. */
  ensureAccount(input: AccountInput): Promise<void>;
  /** Creates or updates the person with this address in the account; sets the password and removes no role. */
  ensurePerson(input: PersonInput & { readonly accountId: string }): Promise<{ id: number }>;
  /** Adds roles in `inAccountId` to a person of `accountId`. */
  giveRoles(accountId: string, email: string, inAccountId: string, roles: readonly Role[]): Promise<{ id: number }>;
  /** Sets the password of a person created without one; other members do not change. */
  setPassword(accountId: string, email: string, password: string): Promise<void>;
  /** A link for choosing a password, for installations without mail. */
  makeLink(accountId: string, email: string): Promise<{ readonly url: string; readonly expiresAt: Date }>;
  /** Removes all second factors of a person who has lost them. */
  removeSecondFactors(accountId: string, email: string): Promise<void>;
  /** When it returns, no token of a disabled account is valid any more. */
  setAccountDisabled(accountId: string, disabled: boolean): Promise<void>;
  /** Publishes everything that other services keep a copy of. */
  readonly backfill: Backfill;
  /**
   * Creates or updates the application with this name in the account. It always gets a new client id and secret; the
   * former ones are deleted.
   */
  ensureApplication(input: ApplicationInput & { readonly accountId: string }): Promise<ApplicationCredentials>;
  /** Replaces the person's token of the same name. */
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

/** Use cases that tests and benchmarks call directly. */
export interface Services
  extends
    Pick<Directory, 'persons' | 'personAdministration'>,
    Pick<Clients, 'applications' | 'clientTokens' | 'ssoConfigurations'>,
    Pick<Tokens, 'authorizations' | 'keys'>,
    Pick<OAuth, 'alerts'> {}

/** Entry points other than HTTP: for the operator, and for tests and benchmarks. */
export interface OperatorAccess {
  readonly operator: Operator;
  readonly services: Services;
}

/** The service with its entry points. */
export type AuthApp = ComposedApp & OperatorAccess;

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
