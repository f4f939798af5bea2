import express from 'express';
import type { RequestHandler, Router } from 'express';
import { forbidden } from '@itsm/shared/base/errors/app-error';
import type { AccountAdministration } from '../directory/account-administration.service';
import type { AccountRepository } from '../directory/account.repository';
import type { ApplicationReferences } from '../clients/application-references';
import type { ApplicationService } from '../clients/application.service';
import type { ClientTokenService } from '../clients/client-token.service';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import type { RoleOffers } from '../directory/role-offer.service';
import { isAdministrator } from '../directory/person';
import { requireSignIn, signedInOf } from '../sessions/visitor';
import { createAccountSettingsRoutes } from './account-settings.routes';
import { createApplicationFormRoutes } from './application-form.routes';
import { createApplicationListRoutes } from './application-list.routes';
import { createShowApplication } from './application.page';
import { createApplicationRoutes } from './application.routes';
import { createClientTokenRoutes } from './client-token.routes';
import type { SentOnce } from './page.http';
import { createPeopleRoutes } from './people.routes';
import type { PeopleService } from './people.service';
import { createSsoConfigurationRoutes } from './sso-configuration.routes';
import { createSsoTestRoutes } from './sso-test.routes';
import type { SsoTest } from './sso-test.service';

interface Dependencies {
  readonly applications: ApplicationService;
  readonly clientTokens: ClientTokenService;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly accounts: AccountRepository;
  readonly peopleList: PeopleService;
  readonly roleOffers: Pick<RoleOffers, 'listOpen' | 'withdraw'>;
  /** Whether there is a mail server. */
  readonly areSent: boolean;
  readonly ssoTest: SsoTest;
  readonly baseUrl: string;
  readonly sentOnce: SentOnce;
  readonly accountAdministration: AccountAdministration;
  readonly requireFresh: RequestHandler;
}

/** The pages under `/oauth/administration`: applications, SSO, people and settings of an account, for its administrators. */
export function createAdministrationRoutes(dependencies: Dependencies): Router {
  const show = createShowApplication(dependencies);
  const router = express.Router();
  for (const section of ['applications', 'sso-configurations', 'people', 'account']) {
    router.use(`/administration/${section}`, requireAdministrator(`/oauth/administration/${section}`));
  }
  router.use(
    createApplicationFormRoutes(dependencies),
    createApplicationListRoutes(dependencies),
    createApplicationRoutes(dependencies.applications, show),
    createClientTokenRoutes(dependencies.clientTokens, show, dependencies),
    createSsoTestRoutes(dependencies),
    createSsoConfigurationRoutes(dependencies),
    createPeopleRoutes(dependencies),
    createAccountSettingsRoutes(dependencies),
  );
  return router;
}

const checkAdministrator: RequestHandler = (req, _res, next) => {
  const { person } = signedInOf(req);
  if (!isAdministrator(person, person.accountId)) {
    throw forbidden('These pages are for administrators of the account.');
  }
  next();
};

/** Lets administrators of their own account through; others sign in first and come back to `page`. */
const requireAdministrator = (page: string): RequestHandler[] => [requireSignIn(page), checkAdministrator];
