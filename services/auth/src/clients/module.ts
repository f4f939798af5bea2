import { mergeResolvers } from '@itsm/shared/api/graphql/merge-resolvers';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import { createApplicationReferences } from './application-references';
import type { ApplicationReferences } from './application-references';
import { createApplicationRepository } from './application.repository';
import type { ApplicationRepository } from './application.repository';
import type { Application } from './application';
import { createApplicationResolvers } from './application.resolvers';
import { createApplicationRoutes } from './application.routes';
import { applicationTypeDefs } from './application.sdl';
import { createApplicationService } from './application.service';
import type { ApplicationService } from './application.service';
import { createClientTokenResolvers } from './client-token.resolvers';
import { createClientTokenService } from './client-token.service';
import type { ClientTokenService } from './client-token.service';
import { createInstalledApplication } from './installed-application';
import type { ConsoleSettings } from './installed-application';
import { createSsoConfigurationRepository } from './sso-configuration.repository';
import { createSsoConfigurationResolvers } from './sso-configuration.resolvers';
import { createSsoConfigurationRoutes } from './sso-configuration.routes';
import { ssoConfigurationTypeDefs } from './sso-configuration.sdl';
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
  const clientTokens = createClientTokenService({ applications: store, announce, audit, now });
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
        router: createApplicationRoutes({ applications, references, ssoConfigurations, nodeIdDomain, baseUrl }),
      },
      {
        path: '/v1/sso_configurations',
        access: 'caller',
        router: createSsoConfigurationRoutes({ ssoConfigurations, accounts, nodeIdDomain, baseUrl }),
      },
    ],
    sdl: mutationTypeDefs + applicationTypeDefs + ssoConfigurationTypeDefs,
    resolvers: mergeResolvers([
      createApplicationResolvers({ applications, references, ssoConfigurations, nodeIdDomain, now }),
      createClientTokenResolvers({ clientTokens, nodeIdDomain, now }),
      createSsoConfigurationResolvers({ ssoConfigurations, accounts, nodeIdDomain, baseUrl, now }),
    ]),
  };
}
