import { mergeResolvers } from '@itsm/shared/api/graphql/merge-resolvers';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import type { Module, Platform } from '@itsm/shared/running/module';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import { createApplicationReferences } from './application-references';
import type { ApplicationReferences } from './application-references';
import { createApplicationRepository } from './application.repository';
import type { ApplicationRepository } from './application.repository';
import { createApplicationResolvers } from './application.resolvers';
import { applicationTypeDefs } from './application.sdl';
import { createApplicationService } from './application.service';
import type { ApplicationService } from './application.service';
import { createClientTokenResolvers } from './client-token.resolvers';
import { createClientTokenService } from './client-token.service';
import type { ClientTokenService } from './client-token.service';
import { createSsoConfigurationRepository } from './sso-configuration.repository';
import { createSsoConfigurationResolvers } from './sso-configuration.resolvers';
import { ssoConfigurationTypeDefs } from './sso-configuration.sdl';
import { createSsoConfigurationService } from './sso-configuration.service';
import type { SsoConfigurationService } from './sso-configuration.service';

interface Needs {
  readonly security: Security;
  readonly directory: Directory;
  readonly settings: {
    /** Whether issuers may use http, for local work. */
    readonly allowInsecureProviders: boolean;
  };
}

export interface Clients extends Module {
  readonly store: ApplicationRepository;
  readonly applications: ApplicationService;
  readonly clientTokens: ClientTokenService;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly references: ApplicationReferences;
}

export function createClients(platform: Platform, { security, directory, settings }: Needs): Clients {
  const { connection, now, nodeIdDomain } = platform;
  const { audit, announce } = security;
  const { accounts, people } = directory;
  const sequence = createSequence(connection);
  const store = createApplicationRepository(connection);
  const ssoConfigurations = createSsoConfigurationService({
    ssoConfigurations: createSsoConfigurationRepository(connection),
    accounts,
    sequence,
    allowInsecureProviders: settings.allowInsecureProviders,
    audit,
    now,
  });
  const references = createApplicationReferences({ ssoConfigurations, people, accounts });
  const applications = createApplicationService({ applications: store, references, sequence, announce, audit, now });
  const clientTokens = createClientTokenService({ applications: store, announce, audit, now });
  return {
    store,
    applications,
    clientTokens,
    ssoConfigurations,
    references,
    sdl: mutationTypeDefs + applicationTypeDefs + ssoConfigurationTypeDefs,
    resolvers: mergeResolvers([
      createApplicationResolvers({ applications, references, ssoConfigurations, nodeIdDomain }),
      createClientTokenResolvers({ clientTokens, nodeIdDomain }),
      createSsoConfigurationResolvers({ ssoConfigurations, accounts, nodeIdDomain }),
    ]),
  };
}
