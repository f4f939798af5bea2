import { notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import type { ApplicationService } from '../clients/application.service';
import { sendPage } from '../sessions/page';
import { checkForm } from '../sessions/form-token';
import { signedInOf, visitorOf } from '../sessions/visitor';
import { confirmationTemplate } from './administration.page';
import { applicationAddress } from './application.page';
import type { ShowApplication } from './application.page';
import { idIn, signedInScopes } from './page.http';

/** The page of an application, and the forms to disable it, with a confirmation, and to enable it. */
export function createApplicationRoutes(applications: ApplicationService, show: ShowApplication): Router {
  const router = express.Router();
  router
    .route('/administration/applications/:id')
    .get((req, res) => show(req, res, idIn(req.params.id)))
    .all(methodNotAllowed('GET', 'POST'));
  router
    .route('/administration/applications/:id/disable')
    .get(async (req, res) => {
      const application = await applications.find(signedInOf(req).person.accountId, idIn(req.params.id));
      if (!application) throw notFound();
      const back = applicationAddress(application.id);
      const data = {
        text: 'This revokes its tokens and all authorizations at once. After you enable it again, people have to authorize it again.',
        action: `${back}/disable`,
        back,
        button: 'Disable application',
      };
      const title = `Disable ${application.name}?`;
      sendPage(res, 200, { title, template: confirmationTemplate, data }, visitorOf(req));
    })
    .post(checkForm, async (req, res) => {
      const id = idIn(req.params.id);
      await applications.update(signedInOf(req).person.accountId, signedInScopes, id, { disabled: true });
      res.redirect(303, `${applicationAddress(id)}?done=disabled`);
    })
    .all(methodNotAllowed('GET', 'POST'));
  router
    .route('/administration/applications/:id/enable')
    .post(checkForm, async (req, res) => {
      const id = idIn(req.params.id);
      await applications.update(signedInOf(req).person.accountId, signedInScopes, id, { disabled: false });
      res.redirect(303, `${applicationAddress(id)}?done=enabled`);
    })
    .all(methodNotAllowed('POST'));
  return router;
}
