import type { Module, Platform } from '@itsm/shared/running/module';
import type { Router } from 'express';
import type { FactorsModule } from '../factors/module';
import type { Mails } from '../mails/module';
import type { OAuth } from '../oauth/module';
import type { Sessions } from '../sessions/module';
import type { Foundations } from '../tokens/module';
import { checkFirst } from '../sessions/form-token';
import { createAdministrationRoutes } from './administration.routes';
import type { SentOnce } from './page.http';
import { createOwnCredentialsRoutes } from './own-credentials.routes';
import { createOwnCredentials } from './own-credentials.service';
import { createPeopleService } from './people.service';
import { createProfileRoutes } from './profile.routes';
import { createProfileService } from './profile.service';
import { createSecurityLogResolvers, securityLogTypeDefs } from './security-log.resolvers';
import { createSecurityLogRoutes } from './security-log.routes';
import { createSecurityLogService } from './security-log.service';
import { createSessionListRoutes } from './session-list.routes';
import { createSsoTest } from './sso-test.service';

interface Needs extends Foundations {
  readonly mails: Mails;
  readonly sessions: Sessions;
  readonly oauth: Pick<OAuth, 'providers'>;
  readonly factors: FactorsModule;
}

export interface Portal extends Module {
  readonly pages: readonly Router[];
}

export function createPortal({ now, baseUrl, nodeIdDomain }: Platform, needs: Needs): Portal {
  const { security, mails, directory, clients, tokens, sessions, oauth, factors } = needs;
  const { accounts, people, passwords, credentials } = directory;
  const { queue, areSent } = mails;
  const { attempts, audit } = security;
  const { requireFresh, requireFreshFirst } = factors;
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
  const ownCredentials = createOwnCredentials({ people, passwords, credentials, queue, attempts, audit });
  const { service, cookie } = sessions;
  const peopleList = createPeopleService({ people, queue, attempts, audit, sessions: service });
  const { documents, verifyIdentityToken, findClaimedPeople } = oauth.providers;
  const ssoTest = createSsoTest({ ssoConfigurations, documents, verifyIdentityToken, findClaimedPeople });
  const sentOnce: SentOnce = (page) => checkFirst(security.usedOnce, now, page);
  return {
    pages: [
      createOwnCredentialsRoutes({ ownCredentials, sessions: service, cookie, areSent, requireFreshFirst }),
      createProfileRoutes({
        profile,
        roleOffers: directory.roleOffers,
        authorizations,
        personalTokens,
        sessions: service,
        securityLog,
        requireFresh,
        sentOnce,
        now,
      }),
      createSessionListRoutes({ service, cookie, requireFresh }),
      createSecurityLogRoutes({ securityLog, accounts }),
      createAdministrationRoutes({
        applications,
        clientTokens,
        references,
        ssoConfigurations,
        ssoTest,
        accounts,
        peopleList,
        roleOffers: directory.roleOffers,
        areSent,
        baseUrl,
        sentOnce,
        accountAdministration: directory.accountAdministration,
        requireFresh,
      }),
    ],
    sdl: securityLogTypeDefs,
    resolvers: createSecurityLogResolvers({ securityLog, people, accounts, nodeIdDomain }),
  };
}
