import type { Clock } from '@itsm/shared/base/time/clock';
import type { Account } from '../directory/account';
import type { AccountRepository } from '../directory/account.repository';
import type { Application } from '../clients/application';
import type { ApplicationRepository } from '../clients/application.repository';
import { narrowScopes } from '../clients/scope-sets';
import type { Authorization } from '../tokens/authorization';
import type { AuthorizationRepository } from '../tokens/authorization.repository';
import { judge, whyPersonalVoid } from '../tokens/liveness';
import type { GrantState } from '../tokens/liveness';
import { isAdministrator, supportIdOf } from '../directory/person';
import type { Person } from '../directory/person';
import type { PersonalAccessTokenRepository } from '../tokens/personal-access-token.repository';
import type { TokenFamilyRepository } from '../tokens/token-family.repository';
import { describeScopes } from '@itsm/shared/contracts/scope-words';

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly applications: ApplicationRepository;
  readonly authorizations: AuthorizationRepository;
  readonly families: TokenFamilyRepository;
  readonly personalTokens: PersonalAccessTokenRepository;
  readonly now: Clock;
}

/** Most token families read per application; the newest ones decide its state. */
const mostFamilies = 50;

export interface ProfileService {
  /** The data of the profile page. */
  overview(
    accountId: string,
    person: Person,
  ): Promise<{
    readonly accountName: string;
    readonly supportId: string;
    readonly administers: boolean;
    readonly roles: string;
    readonly authorizations: {
      readonly again: boolean;
      readonly dead?: string;
      readonly idle?: boolean;
      readonly id: string;
      readonly name: string;
      readonly scopes: string;
      readonly createdAt: Date;
      readonly lastUsedAt: Date | null;
    }[];
    readonly tokens: {
      readonly id: number;
      readonly name: string;
      readonly scopes: string;
      readonly expiresAt: Date;
      readonly lastUsedAt: Date | null;
      readonly expired: boolean;
      readonly dead: string | undefined;
    }[];
  }>;
}

export function createProfileService(dependencies: Dependencies): ProfileService {
  const { accounts, applications, authorizations, families, personalTokens, now } = dependencies;

  /** The state of an authorization's tokens: at least one is valid, there is none, or why none is valid. */
  async function stateOf(
    authorization: Authorization,
    application: Application,
    { person, account, applicationAccount }: Pick<GrantState, 'person' | 'account' | 'applicationAccount'>,
  ): Promise<{ dead?: string; idle?: boolean }> {
    const { accountId, id } = authorization;
    const open = await families.listOfAuthorization(accountId, id, now(), mostFamilies);
    const state = { authorization, application, person, account, applicationAccount, accounts: [] };
    const verdicts = open.map((family) => judge(family.grant, { ...state, family }, family.createdAt));
    if (verdicts.some(({ kind }) => kind === 'live')) return {};
    const [newest] = verdicts;
    const dead = newest?.kind === 'dead' ? newest.because : whyUngrantable(authorization, application);
    return dead === undefined ? { idle: true } : { dead };
  }

  /** The applications of the authorizations, by id, and their accounts: one read for each account, and one for all accounts. */
  async function readApplications(all: readonly Authorization[]) {
    const ids = new Map<string, number[]>();
    for (const { applicationAccountId, applicationId } of all) {
      const wanted = ids.get(applicationAccountId);
      if (wanted) wanted.push(applicationId);
      else ids.set(applicationAccountId, [applicationId]);
    }
    const [owners, ...found] = await Promise.all([
      ids.size > 0 ? accounts.findMany([...ids.keys()]) : [],
      ...[...ids].map(([owner, wanted]) => applications.findMany(owner, wanted)),
    ]);
    return {
      byId: new Map(found.flat().map((application) => [application.id, application])),
      ownersById: new Map(owners.map((owner) => [owner.id, owner])),
    };
  }

  /** The latest authorization for each application. One for former scopes is void. */
  async function listAuthorizations(accountId: string, person: Person, account: Account | undefined) {
    const open = await authorizations.listOpen(accountId, person.id);
    // The newest come first, so the last one that is set for an application is its newest.
    const latest = [...new Map(open.toReversed().map((one) => [one.applicationId, one])).values()].toReversed();
    const { byId, ownersById } = await readApplications(latest);
    const rows = await Promise.all(
      latest.map(async (authorization) => {
        const { id, applicationAccountId, applicationId, createdAt, lastUsedAt } = authorization;
        const application = byId.get(applicationId);
        if (!application) return [];
        const applicationAccount = ownersById.get(applicationAccountId);
        const state = await stateOf(authorization, application, { person, account, applicationAccount });
        const again = whyUngrantable(authorization, application) === undefined;
        const { name, scopes } = application;
        return [
          {
            id,
            name,
            scopes: inWords(narrowScopes(scopes, authorization.actions)),
            createdAt,
            lastUsedAt,
            ...state,
            again,
          },
        ];
      }),
    );
    return rows.flat();
  }

  async function listTokens(accountId: string, person: Person, account: Account | undefined) {
    const tokens = await personalTokens.list(accountId, person.id);
    return tokens.map((token) => {
      const { id, name, scopes, expiresAt, lastUsedAt } = token;
      const dead = whyPersonalVoid(token, { person, account }, now());
      return { id, name, scopes: inWords(scopes), expiresAt, lastUsedAt, expired: expiresAt <= now(), dead };
    });
  }

  return {
    async overview(accountId: string, person: Person) {
      const account = await accounts.find(accountId);
      const [authorized, tokens] = await Promise.all([
        listAuthorizations(accountId, person, account),
        listTokens(accountId, person, account),
      ]);
      return {
        accountName: account?.name ?? accountId,
        supportId: supportIdOf(person),
        administers: isAdministrator(person, accountId),
        roles: roleWords(person.roles[accountId] ?? []),
        authorizations: authorized,
        tokens,
      };
    },
  };
}

export const roleWords = (roles: readonly string[]): string =>
  roles.map((role) => role.replaceAll('_', ' ')).join(', ');

/** Why the application cannot get tokens without a new consent, or at all; undefined when it can. */
function whyUngrantable({ scopesVersion }: Authorization, application: Application): string | undefined {
  if (application.disabledAt) return 'The application is disabled';
  return application.scopesVersion === scopesVersion ? undefined : 'The scopes of the application changed';
}

function inWords(scopes: Parameters<typeof describeScopes>[0]): string {
  const { allowed, denied } = describeScopes(scopes);
  return [...allowed, ...denied.map((text) => `never: ${text}`)].join(' · ');
}
