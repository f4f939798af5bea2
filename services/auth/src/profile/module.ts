import type { Platform } from '@itsm/shared/running/module';
import type { Router } from 'express';
import type { FactorsModule } from '../factors/module';
import type { Mails } from '../mails/module';
import type { SecurityLog } from '../security-log/module';
import { checkFirst } from '../sessions/form-token';
import type { Sessions } from '../sessions/module';
import type { Foundations } from '../tokens/module';
import { createOwnCredentialsRoutes } from './own-credentials.routes';
import { createOwnCredentials } from './own-credentials.service';
import { createProfileRoutes } from './profile.routes';
import { createProfileService } from './profile.service';
import { createSessionListRoutes } from './session-list.routes';

interface Needs extends Foundations {
  readonly mails: Mails;
  readonly sessions: Sessions;
  readonly factors: FactorsModule;
  readonly securityLog: SecurityLog;
}

/** The pages on which people see and change what is their own. */
export function createProfile({ now }: Platform, needs: Needs): { readonly pages: readonly Router[] } {
  const { security, mails, directory, clients, tokens, sessions, factors, securityLog } = needs;
  const { accounts, people, passwords, credentials, roleOffers } = directory;
  const { queue, areSent } = mails;
  const { attempts, audit } = security;
  const { requireFresh, requireFreshFirst } = factors;
  const { service, cookie } = sessions;
  const profile = createProfileService({
    accounts,
    applications: clients.store,
    authorizations: tokens.authorizationStore,
    families: tokens.families,
    personalTokens: tokens.personalTokenStore,
    now,
  });
  const ownCredentials = createOwnCredentials({ people, passwords, credentials, queue, attempts, audit });
  return {
    pages: [
      createOwnCredentialsRoutes({ ownCredentials, sessions: service, cookie, areSent, requireFreshFirst }),
      createProfileRoutes({
        profile,
        roleOffers,
        authorizations: tokens.authorizations,
        personalTokens: tokens.personalTokens,
        sessions: service,
        securityLog: securityLog.service,
        requireFresh,
        sentOnce: (page) => checkFirst(security.usedOnce, now, page),
        now,
      }),
      createSessionListRoutes({ service, cookie, requireFresh }),
    ],
  };
}
