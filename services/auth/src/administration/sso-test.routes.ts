import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { notFound } from '@itsm/shared/base/errors/app-error';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { redirectUriOf } from '../clients/sso-configuration';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import { checkForm, hiddenFormToken } from '../sessions/form-token';
import { navigation, sendPage } from '../sessions/page';
import { signedInOf, visitorOf } from '../sessions/visitor';
import { idIn, parseForm } from '../profile/page.http';
import type { SsoCheck, Step } from '../oauth/sso-check.service';

interface Dependencies {
  readonly ssoConfigurations: Pick<SsoConfigurationService, 'find'>;
  readonly ssoCheck: SsoCheck;
  readonly baseUrl: string;
}

const testForm = z.object({ audience: z.string().trim().max(255), token: z.string().trim().max(16_384) });

/** `/oauth/administration/sso-configurations/:id/test`, for administrators. */
export function createSsoTestRoutes({ ssoConfigurations, ssoCheck, baseUrl }: Dependencies): Router {
  async function show(req: Request, res: Response, audience?: string, steps: readonly Step[] = []) {
    const { accountId } = signedInOf(req).person;
    const configuration = await ssoConfigurations.find(accountId, idIn(req.params['id']));
    if (!configuration) throw notFound();
    const back = `/oauth/administration/sso-configurations/${configuration.id}`;
    const data = {
      section: 'sso-configurations',
      configuration,
      redirectUri: redirectUriOf(baseUrl, configuration.id),
      steps,
      audience: audience ?? configuration.clientId ?? '',
      action: `${back}/test`,
      back,
    };
    sendPage(res, 200, { title: `Test ${configuration.name}`, template, data }, visitorOf(req));
  }

  const router = express.Router();
  router
    .route('/administration/sso-configurations/:id/test')
    .get((req, res) => show(req, res))
    .post(checkForm, async (req, res) => {
      const { audience, token } = parseForm(testForm, req.body);
      const { accountId } = signedInOf(req).person;
      const given = { audience, token, namesPeople: true };
      await show(req, res, audience, await ssoCheck.run(accountId, idIn(req.params['id']), given));
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

const template = /* html */ `<main>
${navigation}
<section class="card" aria-labelledby="heading">
<h1 id="heading">Test <%= it.configuration.name %></h1>
<p class="muted">Fetches the discovery document and the keys of <code><%= it.configuration.issuer %></code>, and shows which person an identity token matches, or why none. Nobody is signed in, and the token stays usable.</p>
<p class="muted small">To sign in there, the client at the provider needs exactly this redirect URI: <code><%= it.redirectUri %></code></p>
<% if (it.steps.length > 0) { %><div role="status"><dl class="facts">
<% it.steps.forEach((step) => { %><dt><%= step.name %></dt><dd><% if (!step.good) { %><span class="badge">Failed</span> <% } %><%= step.text %></dd><% }) %>
</dl></div><% } %>
<form class="after" method="post" action="<%= it.action %>">
${hiddenFormToken}
<div class="field"><label for="audience">Audience</label>
<input id="audience" type="text" name="audience" value="<%= it.audience %>" maxlength="255" autocomplete="off" aria-describedby="audience-hint">
<p id="audience-hint" class="muted small">The aud claim: the audience of the application that exchanges the token, or the client ID of this configuration.</p></div>
<div class="field"><label for="token">Identity token</label>
<textarea id="token" name="token" rows="6" maxlength="15000" autocomplete="off" spellcheck="false" aria-describedby="token-hint"></textarea>
<p id="token-hint" class="muted small">A signed JWT of the provider. Leave it empty to test the provider only. It is not stored.</p></div>
<div class="choices"><button class="primary">Test</button>
<a class="button" href="<%= it.back %>">Back</a></div>
</form>
</section>
</main>
`;
