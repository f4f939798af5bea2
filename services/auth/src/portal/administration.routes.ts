import express from 'express';
import type { RequestHandler, Router } from 'express';
import { forbidden } from '@itsm/shared/base/errors/app-error';
import type { AccountRepository } from '../directory/account.repository';
import type { ApplicationReferences } from '../clients/application-references';
import type { ApplicationService } from '../clients/application.service';
import type { ClientTokenService } from '../clients/client-token.service';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import { isAdministrator } from '../directory/person';
import { requireSignIn, signedInOf } from '../sessions/visitor';
import { createApplicationFormRoutes } from './application-form.routes';
import { createApplicationListRoutes } from './application-list.routes';
import { createShowApplication } from './application.page';
import { createApplicationRoutes } from './application.routes';
import { createClientTokenRoutes } from './client-token.routes';
import { createSsoConfigurationRoutes } from './sso-configuration.routes';

interface Dependencies {
  readonly applications: ApplicationService;
  readonly clientTokens: ClientTokenService;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly accounts: AccountRepository;
}

/** The pages under `/oauth/administration` on which administrators look after the applications of their account. */
export function createAdministrationRoutes(dependencies: Dependencies): Router {
  const show = createShowApplication(dependencies);
  const router = express.Router();
  for (const section of ['applications', 'sso-configurations']) {
    router.use(`/administration/${section}`, requireAdministrator(`/oauth/administration/${section}`));
  }
  router.use(
    createApplicationFormRoutes(dependencies),
    createApplicationListRoutes(dependencies),
    createApplicationRoutes(dependencies.applications, show),
    createClientTokenRoutes(dependencies.clientTokens, show),
    createSsoConfigurationRoutes(dependencies),
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
