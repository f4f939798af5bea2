import express from 'express';
import type { RequestHandler, Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { forbidden } from '@itsm/shared/base/errors/app-error';
import type { AccountAdministration } from '../directory/account-administration.service';
import type { AccountRepository } from '../directory/account.repository';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import type { PersonLinks } from '../directory/person-links.service';
import type { RoleOffers } from '../directory/role-offer.service';
import { isAdministrator } from '../directory/person';
import { navigation, sendPage } from '../sessions/page';
import { requireSignIn, signedInOf, visitorOf } from '../sessions/visitor';
import { createAccountSettingsRoutes } from './account-settings.routes';
import { createPeopleRoutes } from './people.routes';
import type { PeopleService } from './people.service';
import { createSsoConfigurationRoutes } from './sso-configuration.routes';
import { createSsoTestRoutes } from './sso-test.routes';
import type { SsoCheck } from '../oauth/sso-check.service';

interface Dependencies {
  /** Whether there is a console, which has the pages of applications. */
  readonly hasConsole: boolean;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly accounts: AccountRepository;
  readonly peopleList: PeopleService;
  readonly personLinks: PersonLinks;
  readonly roleOffers: Pick<RoleOffers, 'listOpen' | 'withdraw'>;
  /** Whether there is a mail server. */
  readonly areSent: boolean;
  readonly ssoCheck: SsoCheck;
  readonly baseUrl: string;
  readonly accountAdministration: AccountAdministration;
  readonly requireFresh: RequestHandler;
}

/** The pages under `/oauth/administration`: SSO, people and settings of an account, for its administrators. */
export function createAdministrationRoutes(dependencies: Dependencies): Router {
  const router = express.Router();
  for (const section of ['applications', 'sso-configurations', 'people', 'account']) {
    router.use(`/administration/${section}`, requireAdministrator(`/oauth/administration/${section}`));
  }
  router.use(
    createApplicationRoutes(dependencies),
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

/** The paths of pages that the console has too. */
const pages = /^\/administration(\/applications(?:\/new|\/\d+(?:\/edit)?)?)/;

/** Below `/oauth/administration/applications` were the pages of applications. The console has them now. */
function createApplicationRoutes({ hasConsole }: { readonly hasConsole: boolean }): Router {
  const router = express.Router();
  router
    .route('/administration/applications{/*rest}')
    .get((req, res) => {
      const { accountId } = signedInOf(req).person;
      if (hasConsole) return res.redirect(302, `/accounts/${accountId}${pages.exec(req.path)?.[1] ?? ''}`);
      const data = { section: 'applications' };
      return sendPage(res, 200, { title: 'Applications', template: withoutConsole, data }, visitorOf(req));
    })
    .all(methodNotAllowed('GET'));
  return router;
}

const withoutConsole = /* html */ `<main>
${navigation}
<section class="card" aria-labelledby="heading">
<h1 id="heading">Applications</h1>
<p>There is no console here. Applications and their client tokens are administered with the API: <code>/v1/oauth_applications</code>, or <code>oauthApplicationCreate</code> and its neighbours of GraphQL.</p>
</section>
</main>
`;
