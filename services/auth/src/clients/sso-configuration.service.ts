import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import { parse } from '@itsm/shared/api/http/parse';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AccountRepository } from '../directory/account.repository';
import type { Audit } from '../security/audit.service';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { secretContextOf } from './sso-configuration';
import type { SsoConfiguration } from './sso-configuration';
import { ssoConfigurationInput } from './sso-configuration.input';
import type { SsoConfigurationChanges, SsoConfigurationInput } from './sso-configuration.input';
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
  update(accountId: string, id: number, changes: SsoConfigurationChanges): Promise<SsoConfiguration>;
}

/** They are read together, also for the sign-in page, which anybody can open. */
export const mostConfigurations = 100;

export function createSsoConfigurationService(dependencies: Dependencies): SsoConfigurationService {
  const { ssoConfigurations, accounts, sequence, allowInsecureProviders, sealer, audit, now } = dependencies;
  const inputSchema = ssoConfigurationInput(allowInsecureProviders);
  const changesSchema = inputSchema.partial();

  const seal = (id: number, secret: string | null | undefined) =>
    secret ? sealer.seal(secret, secretContextOf(id)) : undefined;

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
      const {
        disabled,
        emailVerifiedRequired = true,
        clientId = null,
        clientSecret,
        formerRedirectUri = false,
        ...fields
      } = parse(inputSchema, input);
      if ((await ssoConfigurations.list(accountId)).length >= mostConfigurations) {
        throw validationFailed([['name', `An account has at most ${mostConfigurations} SSO configurations`]]);
      }
      const at = now();
      const id = await sequence.next('sso_configuration');
      const disabledAt = disabled ? at : null;
      const configuration = {
        id,
        accountId,
        ...fields,
        emailVerifiedRequired,
        clientId,
        sealedClientSecret: seal(id, clientSecret) ?? null,
        formerRedirectUri,
        disabledAt,
        createdAt: at,
        updatedAt: at,
      };
      if (!(await ssoConfigurations.insert(configuration))) throw nameTaken();
      const { name, issuer } = configuration;
      await audit.record(accountId, { event: 'sso_configuration.created', facts: { id, name, issuer } });
      return configuration;
    },
    async update(accountId: string, id: number, changes: SsoConfigurationChanges): Promise<SsoConfiguration> {
      const { disabled, clientSecret, ...fields } = parse(changesSchema, changes);
      const at = now();
      const disabledAt = disabled === undefined ? {} : { disabledAt: disabled ? at : null };
      // A new issuer clears the secret, which is sent only to the issuer it was entered for.
      const before = await ssoConfigurations.find(accountId, id);
      const isMoved = fields.issuer !== undefined && before?.issuer !== fields.issuer;
      const secret = {
        sealedClientSecret: seal(id, clientSecret) ?? (isMoved || clientSecret === null ? null : undefined),
      };
      const saved = await ssoConfigurations.change(
        accountId,
        id,
        { ...given({ ...fields, ...secret }), ...disabledAt },
        at,
      );
      if (saved === 'taken') throw nameTaken();
      if (!saved) throw notFound();
      const { name, issuer } = saved;
      const facts = { id, name, issuer, members: Object.keys(given({ ...fields, clientSecret, disabled })) };
      await audit.record(accountId, { event: 'sso_configuration.updated', facts });
      return saved;
    },
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

const nameTaken = () => validationFailed([['name', 'Name is already taken']]);
