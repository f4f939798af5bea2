import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Request, Response } from 'express';
import type { ApplicationReferences } from '../clients/application-references';
import { describeClientKeys } from '../clients/client-keys';
import { longestTokenName } from '../clients/client-token.service';
import type { ApplicationService } from '../clients/application.service';
import { sendPage } from '../sessions/page';
import { describeScopes } from '@itsm/shared/contracts/scope-words';
import { signedInOf, visitorOf } from '../sessions/visitor';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import { hiddenFormId, hiddenFormToken, navigation } from './administration.page';
import { describeGrantTypes } from './grant-words';
import { noticeIn } from './page.http';
import { dateOf } from '../sessions/moments';

const settings = /* html */ `<dl class="facts">
<dt>Grant types</dt><dd><%= it.grants %></dd>
<% if (it.application.homepage) { %><dt>Homepage</dt><dd><a href="<%= it.application.homepage %>" rel="noopener noreferrer"><%= it.application.homepage %></a></dd><% } %>
<% if (it.application.redirectUris.length > 0) { %><dt>Redirect URIs</dt><dd><% it.application.redirectUris.forEach((uri) => { %><div><code><%= uri %></code></div><% }) %></dd><% } %>
<% if (it.application.redirectUris.length > 0) { %><dt>PKCE</dt><dd><% if (it.application.pkceRequired) { %>Required<% } else { %>Optional<% } %></dd><% } %>
<% if (it.ssoName) { %><dt>SSO configuration</dt><dd><%= it.ssoName %></dd><% } %>
<% if (it.application.audience) { %><dt>Audience</dt><dd><code><%= it.application.audience %></code></dd><% } %>
<% if (it.keys.length > 0) { %><dt>JWKS</dt><dd><% it.keys.forEach((key) => { %><div><code><%= key %></code></div><% }) %></dd><% } %>
<% if (it.application.jwksUri) { %><dt>JWKS URI</dt><dd><code><%= it.application.jwksUri %></code></dd><% } %>
<% if (it.application.privateKeyJwtRequired) { %><dt>Secrets</dt><dd>Refused: clients authenticate with their keys</dd><% } %>
<% if (it.actsAs) { %><dt>Acts as</dt><dd><%= it.actsAs %></dd><% } %>
</dl>
<h2>Scopes</h2>
<ul class="scopes"><% it.scopes.allowed.forEach((text) => { %><li><%= text %></li><% }) %><% it.scopes.denied.forEach((text) => { %><li class="never">Never: <%= text %></li><% }) %></ul>`;

const clientTokens = /* html */ `<section class="card" aria-labelledby="tokens">
<h2 id="tokens">Client tokens</h2>
<p class="muted">A client token is a client id and its secret. To rotate the secret without an outage, create a second token, deploy it, and delete the first.</p>
<% if (it.created) { %><div class="notice good" role="status" tabindex="-1" autofocus><p><strong>The client token is ready.</strong> Copy the secret now: it is shown once.</p>
<dl class="secret"><dt>Client id</dt><dd><code class="token" tabindex="0"><%= it.created.clientId %></code></dd>
<dt>Client secret</dt><dd><code class="token" tabindex="0"><%= it.created.clientSecret %></code></dd></dl></div><% } %>
<% if (it.problem) { %><div class="notice bad" role="alert" tabindex="-1" autofocus><p><%= it.problem %></p></div><% } %>
<% if (it.application.tokens.length === 0) { %><p class="empty">Add a client token to use the application.</p><% } else { %><ul class="rows">
<% it.application.tokens.forEach((token) => { %><li><div>
<h3><% if (token.name) { %><%= token.name %><% } else { %><code><%= token.clientId %></code><% } %><% if (token.disabledAt) { %> <span class="badge">Disabled</span><% } %></h3>
<% if (token.name) { %><p class="small"><code><%= token.clientId %></code></p><% } %>
<p class="muted small">Created ${dateOf('token.createdAt')} · <% if (token.lastUsedAt) { %>last used ${dateOf('token.lastUsedAt')}<% } else { %>not used yet<% } %><% if (token.disabledAt) { %> · disabled ${dateOf('token.disabledAt')}<% } %></p>
</div><div class="choices">
<% if (token.disabledAt) { %><form method="post" action="<%= it.address %>/tokens/<%= token.clientId %>/enable">${hiddenFormToken}
<button>Enable<span class="visually-hidden"> <%= token.name ?? token.clientId %></span></button></form><% } else { %>
<a class="button" href="<%= it.address %>/tokens/<%= token.clientId %>/disable">Disable<span class="visually-hidden"> <%= token.name ?? token.clientId %></span></a><% } %>
<a class="button danger" href="<%= it.address %>/tokens/<%= token.clientId %>/delete">Delete<span class="visually-hidden"> <%= token.name ?? token.clientId %></span></a>
</div></li><% }) %>
</ul><% } %>
<form class="after" method="post" action="<%= it.address %>/tokens">${hiddenFormToken}${hiddenFormId}
<div class="field"><label for="token-name">Name of the new client token</label>
<input id="token-name" type="text" name="name" value="<%= it.tokenName ?? '' %>" maxlength="${longestTokenName}" autocomplete="off" aria-describedby="token-name-hint">
<p id="token-name-hint" class="muted small">Optional, for example where it is used.</p></div>
<button class="primary">Create client token</button></form>
</section>`;

/** One application: its settings, its client tokens, and what can be done with them. */
const applicationTemplate = /* html */ `<main>
${navigation}
<% if (it.notice) { %><div class="notice good" role="status"><p><%= it.notice %></p></div><% } %>
<section class="card" aria-labelledby="application">
<h1 id="application"><%= it.application.name %><% if (it.application.disabledAt) { %> <span class="badge">Disabled</span><% } %></h1>
<% if (it.application.description) { %><p><%= it.application.description %></p><% } %>
${settings}
<div class="choices">
<a class="button" href="<%= it.address %>/edit">Edit</a>
<% if (it.application.disabledAt) { %><form method="post" action="<%= it.address %>/enable">${hiddenFormToken}<button>Enable</button></form><% } else { %>
<a class="button danger" href="<%= it.address %>/disable">Disable</a><% } %>
</div>
</section>
${clientTokens}
</main>
`;

interface Dependencies {
  readonly applications: ApplicationService;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
}

interface ApplicationPageExtras {
  readonly status?: number;
  readonly problem?: string;
  /** The name that was typed for a client token. */
  readonly tokenName?: string;
  /** The client token just created, with its secret. */
  readonly created?: { readonly clientId: string; readonly clientSecret: string };
}

export type ShowApplication = (
  req: Request,
  res: Response,
  id: number,
  extras?: ApplicationPageExtras,
) => Promise<void>;

export const applicationAddress = (id: number): string => `/oauth/administration/applications/${id}`;

/** Answers with the page of one application; a 404 when the account has none with this id. */
export const createShowApplication =
  ({ applications, references, ssoConfigurations }: Dependencies): ShowApplication =>
  async (req, res, id, { status = 200, ...extras } = {}) => {
    const { accountId } = signedInOf(req).person;
    const application = await applications.find(accountId, id);
    if (!application) throw notFound();
    const { ssoConfigurationId, actsAsPersonId } = application;
    const [sso, person] = await Promise.all([
      ssoConfigurationId === null ? undefined : ssoConfigurations.findLinkable(accountId, ssoConfigurationId),
      actsAsPersonId === null ? undefined : references.findPerson(accountId, actsAsPersonId),
    ]);
    const data = {
      section: 'applications',
      address: applicationAddress(id),
      notice: noticeIn(req),
      application,
      grants: describeGrantTypes(application.grantTypes),
      scopes: describeScopes(application.scopes),
      ssoName: sso && `${sso.name}${sso.disabledAt ? ' (disabled)' : ''}`,
      actsAs: person && `${person.name} · ${person.primaryEmail}${person.disabledAt ? ' (disabled)' : ''}`,
      keys: describeClientKeys(application.jwks),
      ...extras,
    };
    sendPage(res, status, { title: application.name, template: applicationTemplate, data }, visitorOf(req));
  };
