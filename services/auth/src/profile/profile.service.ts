import type { Clock } from '@itsm/shared/time/clock';
import type { AccountRepository } from '../accounts/account.repository';
import type { ApplicationRepository } from '../applications/application.repository';
import type { AuthorizationRepository } from '../authorizations/authorization.repository';
import { isAdministrator, supportIdOf } from '../people/person';
import type { Person } from '../people/person';
import type { PersonalAccessTokenRepository } from '../personal-access-tokens/personal-access-token.repository';
import { describeScopes } from '../pages/scope-words';

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly applications: ApplicationRepository;
  readonly authorizations: AuthorizationRepository;
  readonly personalTokens: PersonalAccessTokenRepository;
  readonly now: Clock;
}

export type ProfileService = ReturnType<typeof createProfileService>;

export function createProfileService(dependencies: Dependencies) {
  const { accounts, applications, authorizations, personalTokens, now } = dependencies;

  /** Those that count: consents to scopes the application no longer has are void already. */
  async function listAuthorizations(accountId: string, person: Person) {
    const open = await authorizations.listOpen(accountId, person.id);
    const rows = await Promise.all(
      open.map(async ({ id, applicationAccountId, applicationId, scopesVersion, createdAt, lastUsedAt }) => {
        const application = await applications.find(applicationAccountId, applicationId);
        if (application?.scopesVersion !== scopesVersion) return [];
        return [{ id, name: application.name, scopes: inWords(application.scopes), createdAt, lastUsedAt }];
      }),
    );
    return rows.flat();
  }

  async function listTokens(accountId: string, person: Person) {
    const tokens = await personalTokens.list(accountId, person.id);
    return tokens.map(({ id, name, scopes, expiresAt, lastUsedAt }) => ({
      id,
      name,
      scopes: inWords(scopes),
      expiresAt,
      lastUsedAt,
      expired: expiresAt <= now(),
    }));
  }

  return {
    /** Everything that the profile page shows of a person. */
    async overview(accountId: string, person: Person) {
      const [account, authorized, tokens] = await Promise.all([
        accounts.find(accountId),
        listAuthorizations(accountId, person),
        listTokens(accountId, person),
      ]);
      return {
        accountName: account?.name ?? accountId,
        supportId: supportIdOf(person),
        administers: isAdministrator(person, accountId),
        roles: (person.roles[accountId] ?? []).map((role) => role.replaceAll('_', ' ')).join(', '),
        authorizations: authorized,
        tokens,
      };
    },
  };
}

function inWords(scopes: Parameters<typeof describeScopes>[0]): string {
  const { allowed, denied } = describeScopes(scopes);
  return [...allowed, ...denied.map((text) => `never: ${text}`)].join(' · ');
}
