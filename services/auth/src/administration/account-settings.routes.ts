import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import type { AccountAdministration } from '../directory/account-administration.service';
import { checkForm, hiddenFormToken } from '../sessions/form-token';
import { navigation, sendPage } from '../sessions/page';
import { signedInOf, visitorOf } from '../sessions/visitor';
import { noticeIn, parseForm } from '../profile/page.http';

interface Dependencies {
  readonly accountAdministration: AccountAdministration;
  readonly requireFresh: RequestHandler;
}

const address = '/oauth/administration/account';

const formSchema = z.object({
  secondFactorRequired: z
    .literal('yes')
    .optional()
    .transform((given) => given !== undefined),
});

/** The page of the account's sign-in settings, for its administrators. */
export function createAccountSettingsRoutes({ accountAdministration, requireFresh }: Dependencies): Router {
  function show(req: Request, res: Response) {
    const { account } = signedInOf(req);
    const data = { section: 'account', account, notice: noticeIn(req) };
    sendPage(res, 200, { title: 'Account', template: accountSettingsTemplate, data }, visitorOf(req));
  }

  const router = express.Router();
  router
    .route('/administration/account')
    .get(show)
    .post(checkForm, requireFresh, async (req, res) => {
      const { accountId } = signedInOf(req).person;
      await accountAdministration.update(accountId, accountId, parseForm(formSchema, req.body));
      res.redirect(303, `${address}?done=saved`);
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

const accountSettingsTemplate = /* html */ `<main>
${navigation}
<% if (it.notice) { %><div class="notice good" role="status"><p><%= it.notice %></p></div><% } %>
<section class="card" aria-labelledby="account">
<h1 id="account"><%= it.account.name %></h1>
<form method="post" action="${address}">${hiddenFormToken}
<label class="check"><input type="checkbox" name="secondFactorRequired" value="yes"<% if (it.account.secondFactorRequired) { %> checked<% } %> aria-describedby="factor-hint">Require a second factor</label>
<p id="factor-hint" class="muted small">Everybody in this account needs an authenticator app or a passkey. People without one set it up at their next sign-in. Authorized applications and personal access tokens keep working.</p>
<button class="primary">Save</button>
</form>
</section>
</main>
`;
