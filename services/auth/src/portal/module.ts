import type { Module, Platform } from '@itsm/shared/running/module';
import type { Router } from 'express';
import type { Clients } from '../clients/module';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import type { Tokens } from '../tokens/module';
import { createAdministrationRoutes } from './administration.routes';
import { createProfileRoutes } from './profile.routes';
import { createProfileService } from './profile.service';
import { createSecurityLogResolvers } from './security-log.resolvers';
import { createSecurityLogRoutes } from './security-log.routes';
import { securityLogTypeDefs } from './security-log.sdl';
import { createSecurityLogService } from './security-log.service';

interface Needs {
  readonly security: Security;
  readonly directory: Directory;
  readonly clients: Clients;
  readonly tokens: Tokens;
}

export interface Portal extends Module {
  readonly pages: readonly Router[];
}

export function createPortal({ now, nodeIdDomain }: Platform, needs: Needs): Portal {
  const { security, directory, clients, tokens } = needs;
  const { accounts, people } = directory;
  const { applications, clientTokens, references, ssoConfigurations } = clients;
  const { authorizations, personalTokens } = tokens;
  const securityLog = createSecurityLogService({ auditEntries: security.auditEntries, now });
  const profile = createProfileService({
    accounts,
    applications: clients.store,
    authorizations: tokens.authorizationStore,
    families: tokens.families,
    personalTokens: tokens.personalTokenStore,
    now,
  });
  return {
    pages: [
      createProfileRoutes({ profile, authorizations, personalTokens, securityLog, now }),
      createSecurityLogRoutes({ securityLog, accounts }),
      createAdministrationRoutes({ applications, clientTokens, references, ssoConfigurations, accounts }),
    ],
    sdl: securityLogTypeDefs,
    resolvers: createSecurityLogResolvers({ securityLog, people, accounts, nodeIdDomain }),
  };
}
