import { AppError, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { namesOf } from '@itsm/shared/declared/changes';
import { changedRecord, newRecord, refuse } from '@itsm/shared/declared/read-input';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AccountRepository } from '../directory/account.repository';
import type { Audit } from '../security/audit.service';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { isHttps, notHttps, secretContextOf, ssoConfigurationType } from './sso-configuration';
import type { SsoConfiguration, SsoConfigurationInput } from './sso-configuration';
import type { SsoConfigurationRepository } from './sso-configuration.repository';

interface Dependencies {
  readonly ssoConfigurations: SsoConfigurationRepository;
  readonly accounts: AccountRepository;
  readonly sequence: Sequence;
  /** Whether issuers may use http, for local work. */
  readonly allowInsecureProviders: boolean;
  readonly sealer: Sealer;
  readonly audit: Audit;
  readonly now: Clock;
}

export interface SsoConfigurationService {
  readonly list: (accountId: string) => Promise<SsoConfiguration[]>;
  readonly find: (accountId: string, id: number) => Promise<SsoConfiguration | undefined>;
  /** The configurations that applications of the account may use: its own and those of its directory account. */
  listLinkable(accountId: string): Promise<SsoConfiguration[]>;
  /** One of `listLinkable`. */
  findLinkable(accountId: string, id: number): Promise<SsoConfiguration | undefined>;
  /** A 422 names every refused field. */
  create(accountId: string, input: SsoConfigurationInput): Promise<SsoConfiguration>;
  /** Changes the members that are given; 404 when the account has no such configuration, else as `create`. */
  update(
    accountId: string,
    id: number,
    changes: SsoConfigurationInput,
    check?: Precondition<SsoConfiguration>,
  ): Promise<SsoConfiguration>;
}

/** They are read together, also for the sign-in page, which anybody can open. */
export const mostConfigurations = 100;

export function createSsoConfigurationService(dependencies: Dependencies): SsoConfigurationService {
  const { ssoConfigurations, accounts, sequence, allowInsecureProviders, sealer, audit, now } = dependencies;
  const seal = (id: number, secret: string | null | undefined) =>
    secret ? sealer.seal(secret, secretContextOf(id)) : undefined;

  function checkIssuer(issuer: string): void {
    if (!allowInsecureProviders && !isHttps(issuer)) throw refuse(ssoConfigurationType, { issuer: notHttps });
  }

  return {
    list: (accountId: string): Promise<SsoConfiguration[]> => ssoConfigurations.list(accountId),
    find: (accountId: string, id: number): Promise<SsoConfiguration | undefined> =>
      ssoConfigurations.find(accountId, id),
    async listLinkable(accountId: string): Promise<SsoConfiguration[]> {
      const directoryAccountId = (await accounts.find(accountId))?.directoryAccountId;
      const directory = directoryAccountId == null ? [] : await ssoConfigurations.list(directoryAccountId);
      return [...(await ssoConfigurations.list(accountId)), ...directory];
    },
    async findLinkable(accountId: string, id: number): Promise<SsoConfiguration | undefined> {
      const own = await ssoConfigurations.find(accountId, id);
      if (own) return own;
      const directoryAccountId = (await accounts.find(accountId))?.directoryAccountId;
      return directoryAccountId == null ? undefined : ssoConfigurations.find(directoryAccountId, id);
    },
    async create(accountId: string, input: SsoConfigurationInput): Promise<SsoConfiguration> {
      const settings = newRecord(ssoConfigurationType, input);
      checkIssuer(settings.issuer);
      if ((await ssoConfigurations.list(accountId)).length >= mostConfigurations) {
        throw validationFailed([['name', `An account has at most ${mostConfigurations} SSO configurations`]]);
      }
      const at = now();
      const id = await sequence.next('sso_configuration');
      const configuration = {
        id,
        accountId,
        version: 1,
        ...settings,
        sealedClientSecret: seal(id, input.clientSecret) ?? null,
        disabledAt: input.disabled ? at : null,
        createdAt: at,
        updatedAt: at,
      };
      if (!(await ssoConfigurations.insert(configuration))) throw nameTaken();
      const { name, issuer } = configuration;
      await audit.record(accountId, { event: 'sso_configuration.created', facts: { id, name, issuer } });
      return configuration;
    },
    async update(accountId, id, changes, check): Promise<SsoConfiguration> {
      const attempt = async () => {
        const before = await ssoConfigurations.find(accountId, id);
        if (!before) throw notFound();
        const settings = changedRecord(ssoConfigurationType, before, changes);
        if (changes.issuer !== undefined) checkIssuer(settings.issuer);
        await check?.(before);
        const at = now();
        const { clientSecret, disabled } = changes;
        // A new issuer clears the secret, which is sent only to the issuer it was entered for.
        const isCleared = clientSecret === null || settings.issuer !== before.issuer;
        const after = {
          ...before,
          ...settings,
          sealedClientSecret: seal(id, clientSecret) ?? (isCleared ? null : before.sealedClientSecret),
          disabledAt: disabled === undefined ? before.disabledAt : disabled ? at : null,
          version: before.version + 1,
          updatedAt: at,
        };
        const written = await ssoConfigurations.replace(before, after);
        if (written === 'taken') throw nameTaken();
        return written === 'stale' ? stale : after;
      };
      const saved = await writeAgain(attempt, { busy });
      const { name, issuer } = saved;
      const facts = { id, name, issuer, members: namesOf(ssoConfigurationType, changes) };
      await audit.record(accountId, { event: 'sso_configuration.updated', facts });
      return saved;
    },
  };
}

const busy = (): never => {
  throw new AppError('conflict', 'The SSO configuration is being changed by others at the same time');
};

const nameTaken = () => refuse(ssoConfigurationType, { name: 'is already taken' });
