import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import type { ClientTokenService } from '../clients/client-token.service';
import { sendPage } from '../sessions/page';
import { checkForm } from '../sessions/form-token';
import { signedInOf, visitorOf } from '../sessions/visitor';
import { confirmationTemplate } from './administration.page';
import { applicationAddress } from './application.page';
import type { ShowApplication } from './application.page';
import { idIn, outcomeOf, parseForm, signedInScopes } from './page.http';
import type { SentOnce } from './page.http';

const tokenForm = z.object({ name: z.string().max(1_000).default('') });

interface Place {
  readonly accountId: string;
  readonly id: number;
  readonly clientId: string;
}

/** The token in the path. */
const placeOf = (req: Request): Place => ({
  accountId: signedInOf(req).person.accountId,
  id: idIn(req.params['id']),
  clientId: String(req.params['clientId']),
});

const questions = {
  disable: {
    title: 'Disable the client token?',
    text: 'This revokes all tokens that were issued to it, at once. After you enable it again, people have to sign in to the application again.',
    button: 'Disable client token',
  },
  delete: {
    title: 'Delete the client token?',
    text: 'This revokes all tokens that were issued to it, at once. It cannot be undone.',
    button: 'Delete client token',
  },
} as const;

/** Routes of the client tokens on the page of their application. */
export function createClientTokenRoutes(
  clientTokens: ClientTokenService,
  show: ShowApplication,
  { sentOnce, requireFresh }: { readonly sentOnce: SentOnce; readonly requireFresh: RequestHandler },
): Router {
  /** Shows the page with the secret on it, the only time it can be read. */
  async function create(req: Request, res: Response) {
    const id = idIn(req.params['id']);
    const { name } = parseForm(tokenForm, req.body);
    const { accountId } = signedInOf(req).person;
    const outcome = await outcomeOf(clientTokens.create(accountId, signedInScopes, id, name));
    if ('errors' in outcome)
      return show(req, res, id, { status: 422, problem: outcome.errors[0]?.[1] ?? '', tokenName: name });
    const { token, clientSecret } = outcome.done;
    return show(req, res, id, { status: 201, created: { clientId: token.clientId, clientSecret } });
  }

  /** Shows the confirmation page of `question`. */
  const ask = (question: keyof typeof questions) => async (req: Request, res: Response) => {
    const { accountId, id, clientId } = placeOf(req);
    const { application } = await clientTokens.find(accountId, id, clientId);
    const { title, text, button } = questions[question];
    const back = applicationAddress(application.id);
    const data = {
      text: `${application.name}, ${clientId}: ${text}`,
      button,
      back,
      action: `${back}/tokens/${clientId}/${question}`,
    };
    sendPage(res, 200, { title, template: confirmationTemplate, data }, visitorOf(req));
  };

  /** Carries out `change` on the token and redirects to the application's page. */
  const act = (change: (place: Place) => Promise<unknown>, done: string) => async (req: Request, res: Response) => {
    const place = placeOf(req);
    await change(place);
    res.redirect(303, `${applicationAddress(place.id)}?done=${done}`);
  };

  const enable = ({ accountId, id, clientId }: Place) => clientTokens.enable(accountId, signedInScopes, id, clientId);
  const disable = ({ accountId, id, clientId }: Place) => clientTokens.disable(accountId, id, clientId);
  const remove = ({ accountId, clientId }: Place) => clientTokens.delete(accountId, clientId);
  const router = express.Router();
  router
    .route('/administration/applications/:id/tokens')
    .post(
      checkForm,
      requireFresh,
      sentOnce((req) => applicationAddress(idIn(req.params['id']))),
      create,
    )
    .all(methodNotAllowed('POST'));
  router
    .route('/administration/applications/:id/tokens/:clientId/disable')
    .get(ask('disable'))
    .post(checkForm, act(disable, 'token-disabled'))
    .all(methodNotAllowed('GET', 'POST'));
  router
    .route('/administration/applications/:id/tokens/:clientId/delete')
    .get(ask('delete'))
    .post(checkForm, act(remove, 'token-deleted'))
    .all(methodNotAllowed('GET', 'POST'));
  router
    .route('/administration/applications/:id/tokens/:clientId/enable')
    .post(checkForm, act(enable, 'token-enabled'))
    .all(methodNotAllowed('POST'));
  return router;
}
