import { hiddenFormToken, navigation } from '../sessions/navigation';

const settings = /* html */ `<dl class="facts">
<dt>Grants</dt><dd><%= it.grants %></dd>
<% if (it.application.homepage) { %><dt>Homepage</dt><dd><a href="<%= it.application.homepage %>" rel="noopener noreferrer"><%= it.application.homepage %></a></dd><% } %>
<% if (it.application.redirectUris.length > 0) { %><dt>Returns to</dt><dd><% it.application.redirectUris.forEach((uri) => { %><div><code><%= uri %></code></div><% }) %></dd><% } %>
<% if (it.application.redirectUris.length > 0) { %><dt>PKCE</dt><dd><% if (it.application.pkceRequired) { %>Required<% } else { %>Optional<% } %></dd><% } %>
<% if (it.ssoName) { %><dt>SSO configuration</dt><dd><%= it.ssoName %></dd><% } %>
<% if (it.application.audience) { %><dt>Audience</dt><dd><code><%= it.application.audience %></code></dd><% } %>
<% if (it.actsAs) { %><dt>Acts as</dt><dd><%= it.actsAs %></dd><% } %>
</dl>
<h3>What it may do</h3>
<ul class="scopes"><% it.scopes.allowed.forEach((text) => { %><li><%= text %></li><% }) %><% it.scopes.denied.forEach((text) => { %><li class="never">Never: <%= text %></li><% }) %></ul>`;

const clientTokens = /* html */ `<section class="card" aria-labelledby="tokens">
<h2 id="tokens">Client tokens</h2>
<p class="muted">Each is a client id with its secret. To change the secret without an outage, create a second token, let the application use it, and delete the first.</p>
<% if (it.created) { %><div class="notice good" role="status"><p><strong>The client token is ready.</strong> Copy the secret now: it is not shown again.</p>
<dl class="secret"><dt>Client id</dt><dd><code class="token" tabindex="0"><%= it.created.clientId %></code></dd>
<dt>Client secret</dt><dd><code class="token" tabindex="0"><%= it.created.clientSecret %></code></dd></dl></div><% } %>
<% if (it.problem) { %><div class="notice bad" role="alert"><p><%= it.problem %></p></div><% } %>
<% if (it.application.tokens.length === 0) { %><p class="empty">Without a client token the application cannot be used.</p><% } else { %><ul class="rows">
<% it.application.tokens.forEach((token) => { %><li><div>
<h3><code><%= token.clientId %></code><% if (token.disabledAt) { %> <span class="badge">Disabled</span><% } %></h3>
<p class="muted small">Created <%= it.show.date(token.createdAt) %><% if (token.disabledAt) { %> · disabled <%= it.show.date(token.disabledAt) %><% } %></p>
</div><div class="choices">
<% if (token.disabledAt) { %><form method="post" action="<%= it.address %>/tokens/<%= token.clientId %>/enable">${hiddenFormToken}
<button>Enable<span class="visually-hidden"> <%= token.clientId %></span></button></form><% } else { %>
<a class="button" href="<%= it.address %>/tokens/<%= token.clientId %>/disable">Disable<span class="visually-hidden"> <%= token.clientId %></span></a><% } %>
<a class="button danger" href="<%= it.address %>/tokens/<%= token.clientId %>/delete">Delete<span class="visually-hidden"> <%= token.clientId %></span></a>
</div></li><% }) %>
</ul><% } %>
<form class="after" method="post" action="<%= it.address %>/tokens">${hiddenFormToken}
<button class="primary">Create client token</button></form>
</section>`;

/** One application: its settings, its client tokens, and what can be done with them. */
export const applicationTemplate = /* html */ `<main>
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
