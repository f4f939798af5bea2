import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { notFound } from '@itsm/shared/base/errors/app-error';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import { checkForm } from '../sessions/form-token';
import { sendPage } from '../sessions/page';
import { signedInOf, visitorOf } from '../sessions/visitor';
import { idIn, parseForm } from './page.http';
import { ssoTestTemplate } from './sso-test.page';
import type { SsoTest, Step } from './sso-test.service';

interface Dependencies {
  readonly ssoConfigurations: Pick<SsoConfigurationService, 'find'>;
  readonly ssoTest: SsoTest;
}

const testForm = z.object({ audience: z.string().trim().max(255), token: z.string().trim().max(16_384) });

/** `/oauth/administration/sso-configurations/:id/test`, for administrators. */
export function createSsoTestRoutes({ ssoConfigurations, ssoTest }: Dependencies): Router {
  async function show(req: Request, res: Response, audience?: string, steps: readonly Step[] = []) {
    const { accountId } = signedInOf(req).person;
    const configuration = await ssoConfigurations.find(accountId, idIn(req.params['id']));
    if (!configuration) throw notFound();
    const back = `/oauth/administration/sso-configurations/${configuration.id}`;
    const data = {
      section: 'sso-configurations',
      configuration,
      steps,
      audience: audience ?? configuration.clientId ?? '',
      action: `${back}/test`,
      back,
    };
    sendPage(res, 200, { title: `Test ${configuration.name}`, template: ssoTestTemplate, data }, visitorOf(req));
  }

  const router = express.Router();
  router
    .route('/administration/sso-configurations/:id/test')
    .get((req, res) => show(req, res))
    .post(checkForm, async (req, res) => {
      const { audience, token } = parseForm(testForm, req.body);
      const { accountId } = signedInOf(req).person;
      await show(req, res, audience, await ssoTest.run(accountId, idIn(req.params['id']), audience, token));
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}
