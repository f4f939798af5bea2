import { mergeResolvers } from '@itsm/shared/api/graphql/merge-resolvers';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import { describe } from '@itsm/shared/declared/describe';
import { declaredTypeDefs } from '@itsm/shared/declared/declared.sdl';
import type { Edits } from '@itsm/shared/declared/edits';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import { hasWords, withDisabledFilter } from '../directory/listing';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import { freshnessCheck } from '../security/freshness';
import { createApplicationReferences } from './application-references';
import type { ApplicationReferences } from './application-references';
import { createApplicationRepository } from './application.repository';
import type { ApplicationRepository } from './application.repository';
import { applicationType } from './application';
import type { Application } from './application';
import { createApplicationResolvers } from './application.resolvers';
import { createApplicationRoutes } from './application.routes';
import { applicationTypeDefs } from './application.sdl';
import { createApplicationService } from './application.service';
import type { ApplicationService } from './application.service';
import { clientTokenType } from './client-token';
import type { ClientToken } from './client-token';
import { createClientTokenResolvers } from './client-token.resolvers';
import { createClientTokenRoutes, toShown } from './client-token.routes';
import type { ClientTokenEdits } from './client-token.routes';
import { createClientTokenService } from './client-token.service';
import type { ClientTokenService } from './client-token.service';
import { createInstalledApplication } from './installed-application';
import type { ConsoleSettings } from './installed-application';
import { createSsoConfigurationRepository } from './sso-configuration.repository';
import { createSsoConfigurationResolvers } from './sso-configuration.resolvers';
import { createSsoConfigurationRoutes } from './sso-configuration.routes';
import { ssoConfigurationType } from './sso-configuration';
import type { SsoConfiguration } from './sso-configuration';
import { createSsoConfigurationService } from './sso-configuration.service';
import type { SsoConfigurationService } from './sso-configuration.service';

interface Needs {
  readonly security: Security;
  readonly directory: Directory;
  readonly settings: Pick<ConsoleSettings, 'consoleClientSecret'> & {
    /** Whether issuers may use http, for local work. */
    readonly allowInsecureProviders: boolean;
  };
}

export interface Clients extends Module {
  readonly store: ApplicationRepository;
  /** The installation's own application, if any; it is not stored. */
  readonly installed: Application | undefined;
  readonly applications: ApplicationService;
  readonly clientTokens: ClientTokenService;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly references: ApplicationReferences;
}

export function createClients(platform: MessagingPlatform, { security, directory, settings }: Needs): Clients {
  const { connection, sealer, now, baseUrl, nodeIdDomain } = platform;
  const { audit, announce } = security;
  const { accounts, people } = directory;
  const sequence = createSequence(connection);
  const installed = createInstalledApplication({ baseUrl, consoleClientSecret: settings.consoleClientSecret });
  const store = createApplicationRepository(connection, installed);
  const ssoConfigurations = createSsoConfigurationService({
    ssoConfigurations: createSsoConfigurationRepository(connection),
    accounts,
    sequence,
    allowInsecureProviders: settings.allowInsecureProviders,
    sealer,
    audit,
    now,
  });
  const ssoEdits: Edits<typeof ssoConfigurationType, SsoConfiguration> = {
    // An account has only a few, so all are read and paged in memory.
    async list({ accountId }, words) {
      const all = await ssoConfigurations.listLinkable(accountId);
      return withDisabledFilter(createArraySource(all.filter(({ name, issuer }) => hasWords(words, name, issuer))));
    },
    find: ({ accountId }, id) => ssoConfigurations.findLinkable(accountId, id),
    checkCaller: freshnessCheck(now),
    create: ({ accountId }, given) => ssoConfigurations.create(accountId, given),
    update: ({ accountId }, id, given, check) => ssoConfigurations.update(accountId, id, given, check),
  };
  const references = createApplicationReferences({ ssoConfigurations, people, accounts });
  const applications = createApplicationService({
    applications: store,
    references,
    sequence,
    allowInsecureProviders: settings.allowInsecureProviders,
    announce,
    audit,
    now,
  });
  const checkFreshness = freshnessCheck(now);
  const edits: Edits<typeof applicationType, Application> = {
    list: async ({ accountId }, words) => withDisabledFilter(await applications.listing(accountId, words)),
    find: ({ accountId }, id) => applications.find(accountId, id),
    // Disabling an application or a token that leaked must not wait for a sign-in.
    checkCaller: (caller, write) => write === 'create' && checkFreshness(caller),
    create: ({ accountId, scopes }, given) => applications.create(accountId, scopes, given),
    update(caller, id, given, check) {
      const { disabled, ...others } = given;
      if (disabled !== true || Object.keys(others).length > 0) checkFreshness(caller);
      return applications.update(caller.accountId, caller.scopes, id, given, check);
    },
    remove: ({ accountId }, id, check) => applications.delete(accountId, id, check),
  };
  const clientTokens = createClientTokenService({ applications: store, announce, audit, now });
  const tokenEdits: ClientTokenEdits = {
    checkCaller: (caller, write) => write === 'create' && checkFreshness(caller),
    async create({ accountId, scopes }, given) {
      const { token, clientSecret } = await clientTokens.create(accountId, scopes, given);
      return { ...toShown(token), clientSecret };
    },
    once: ({ clientSecret }) => ({ clientSecret }),
    async update(caller, place, given, check) {
      // The secret of one that leaked would be valid again.
      if (given.disabled === false) checkFreshness(caller);
      const { accountId, scopes } = caller;
      const checkShown = check && ((token: ClientToken) => check(toShown(token)));
      return toShown(await clientTokens.update(accountId, scopes, place, given, checkShown));
    },
    remove: ({ accountId }, place, check) =>
      clientTokens.delete(accountId, place, check && ((token) => check(toShown(token)))),
  };
  return {
    store,
    installed,
    applications,
    clientTokens,
    ssoConfigurations,
    references,
    routes: [
      {
        path: '/v1/oauth_applications',
        access: 'caller',
        router: createApplicationRoutes({ edits, references, ssoConfigurations, nodeIdDomain, baseUrl }),
      },
      {
        path: '/v1/oauth_applications',
        access: 'caller',
        router: createClientTokenRoutes({ applications, edits: tokenEdits, nodeIdDomain, baseUrl }),
      },
      {
        path: '/v1/sso_configurations',
        access: 'caller',
        router: createSsoConfigurationRoutes({ edits: ssoEdits, accounts, nodeIdDomain, baseUrl }),
      },
    ],
    stores: [{ ensureIndexes: async () => void (await store.completeTimes(now())) }],
    types: [applicationType, clientTokenType, ssoConfigurationType].map((type) => describe(type)),
    sdl: mutationTypeDefs + applicationTypeDefs + declaredTypeDefs(ssoConfigurationType),
    resolvers: mergeResolvers([
      createApplicationResolvers({ applications, edits, references, ssoConfigurations, nodeIdDomain }),
      createClientTokenResolvers({ edits: tokenEdits, nodeIdDomain }),
      createSsoConfigurationResolvers({ ssoConfigurations, edits: ssoEdits, accounts, nodeIdDomain, baseUrl }),
    ]),
  };
}
