import { hiddenFormToken } from '../sessions/form-token';
import { navigation } from '../sessions/page';

export const ssoConfigurationListTemplate = /* html */ `<main>
${navigation}
<% if (it.notice) { %><div class="notice good" role="status"><p><%= it.notice %></p></div><% } %>
<section class="card" aria-labelledby="heading">
<div class="heading"><h1 id="heading">SSO configurations</h1>
<a class="button primary" href="/oauth/administration/sso-configurations/new">New SSO configuration</a></div>
<p class="muted">OpenID Connect providers that people of <strong><%= it.accountName %></strong> sign in with, and whose identity tokens applications exchange.</p>
<% if (it.rows.length === 0) { %><p class="empty">There are no SSO configurations yet.</p><% } else { %><ul class="rows">
<% it.rows.forEach((row) => { %><li><div>
<h2><% if (row.own) { %><a href="/oauth/administration/sso-configurations/<%= row.id %>"><%= row.name %></a><% } else { %><%= row.name %><% } %><% if (row.disabled) { %> <span class="badge">Disabled</span><% } %></h2>
<p class="small"><code><%= row.issuer %></code></p>
<p class="muted small">People matched by <%= row.identifier %><% if (!row.own) { %> · belongs to the directory account <%= row.accountId %><% } %></p>
</div></li><% }) %>
</ul><% } %>
</section>
</main>
`;

/** The errors of a form, above it: the list takes the focus, and each line links to its field. */
const problems = /* html */ `<% if (it.errors.length > 0) { %><div class="notice bad" role="alert" tabindex="-1" autofocus><p>Not saved yet:</p>
<ul><% it.errors.forEach(([field, text], index) => { %><li<% if (it.errors.findIndex(([name]) => name === field) === index) { %> id="<%= field %>-problem"<% } %>><a href="#<%= field %>"><%= text %></a></li><% }) %></ul></div><% } %>`;

/** ARIA attributes of an input: its hint, and its error from `it.errors`. */
const described = (field: string, hintId?: string): string =>
  `<% if (it.errors.some(([name]) => name === '${field}')) { %> aria-invalid="true" aria-describedby="${[`${field}-problem`, hintId].filter(Boolean).join(' ')}"<% }` +
  (hintId === undefined ? ' %>' : ` else { %> aria-describedby="${hintId}"<% } %>`);

/** A page with one form of these fields. After an error it shows the typed values again with the problems. */
const formPage = (fields: string): string => /* html */ `<main>
${navigation}
<section class="card" aria-labelledby="heading">
<h1 id="heading"><%= it.title %></h1>
${problems}
<form method="post" action="<%= it.action %>">
${hiddenFormToken}
${fields}
<div class="choices"><button class="primary"><%= it.button %></button>
<a class="button" href="<%= it.back %>">Cancel</a></div>
</form>
</section>
</main>
`;

export const ssoConfigurationFormTemplate = formPage(/* html */ `<div class="field"><label for="name">Name</label>
<input id="name" type="text" name="name" value="<%= it.form.name %>" maxlength="128" autocomplete="off" required${described('name')}></div>
<div class="field"><label for="issuer">Issuer</label>
<input id="issuer" type="url" name="issuer" value="<%= it.form.issuer %>" placeholder="https://" maxlength="2048" autocomplete="off" required${described('issuer', 'issuer-hint')}>
<p id="issuer-hint" class="muted small">The exact iss value of the provider, with or without a slash at the end.</p></div>
<div class="field"><label for="identifier">People are matched by</label>
<select id="identifier" name="identifier"${described('identifier')}>
<% it.identifiers.forEach(({ value, label }) => { %><option value="<%= value %>"<% if (value === it.form.identifier) { %> selected<% } %>><%= label %></option><% }) %></select></div>
<% it.flags.forEach(({ name, label, help, isOn }) => { %><label class="check"><input type="checkbox" name="<%= name %>" value="yes"<% if (isOn) { %> checked<% } %>><span><%= label %> <span class="muted small"><%= help %></span></span></label>
<% }) %><% if (it.isChange) { %><p class="below"><a href="<%= it.action %>/test">Test this configuration</a></p><% } %>
<h2>Sign-in with the provider</h2>
<p class="muted small">Needs a client at the provider. <% if (it.redirectUri) { %>Its redirect URI: <code><%= it.redirectUri %></code><% } else { %>The page of the saved configuration shows its redirect URI.<% } %></p>
<% if (it.formerRedirectUri) { %><label class="check"><input type="checkbox" name="formerRedirectUri" value="yes" checked><span>Use the former redirect URI where that is safe <span class="muted small"><code><%= it.formerRedirectUri %></code> counts only while the provider promises to name itself in its answers (RFC 9207). Register the one above, then clear this.</span></span></label><% } %>
<div class="field"><label for="clientId">Client ID</label>
<input id="clientId" type="text" name="clientId" value="<%= it.form.clientId %>" maxlength="255" autocomplete="off"${described('clientId')}></div>
<div class="field"><label for="clientSecret">Client secret</label>
<input id="clientSecret" type="password" name="clientSecret" value="" maxlength="1024" autocomplete="off"${described('clientSecret', 'secret-hint')}>
<p id="secret-hint" class="muted small"><% if (it.isChange) { %>Leave it empty to keep the current one. A change of the issuer deletes it.<% } else { %>The one that the provider issued.<% } %></p></div>
<% if (it.isChange) { %><label class="check"><input type="checkbox" name="disabled" value="yes"<% if (it.form.disabled) { %> checked<% } %>><span>Disabled <span class="muted small">Nobody signs in with it, and its identity tokens are refused.</span></span></label><% } %>`);
