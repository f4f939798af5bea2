import { hiddenFormId, hiddenFormToken } from '../sessions/form-token';
import { alertNotice, securityLogSection } from '../security-log/security-log.page';
import { sessionListSection } from './session-list.page';
import { dateOf } from '../sessions/moments';

/** The notice for an application without a valid token; `again` when it can get the next token without a new consent. */
const stateNotice = /* html */ `<% if (row.dead) { %><p class="small"><span class="badge">Not working</span> <%= row.dead %>.</p><% } %>
<% if (row.idle) { %><p class="muted small">It has no valid token.</p><% } %>
<% if (row.again && (row.dead || row.idle)) { %><p class="muted small">It can get a new token without your consent until you revoke it.</p><% } %>`;

/** The form to revoke, with a confirmation inside the row. */
const revokeForm = (
  kind: 'authorizations' | 'personal-access-tokens',
  effect: string,
): string => /* html */ `<details class="confirm"><summary class="button danger">Revoke<span class="visually-hidden"> <%= row.name %></span></summary>
<form method="post" action="/oauth/profile/${kind}/<%= row.id %>/revoke">
${hiddenFormToken}
<p class="small">${effect}</p>
<button class="danger">Yes, revoke<span class="visually-hidden"> <%= row.name %></span></button></form></details>`;

const backLink = /* html */ `<p><a href="<%= it.form.return %>">Back to the previous page</a></p>`;

/** Boxes for each model of actions and each verb, with those of `it.form.action` ticked. */
export const scopeMatrix = /* html */ `<div class="matrix" tabindex="0" role="group" aria-label="Records"><table>
<thead><tr><th scope="col">Records</th><% it.verbs.forEach((verb) => { %><th scope="col"><%= verb %></th><% }) %></tr></thead>
<tbody><% it.models.forEach(({ model, label }) => { %><tr><th scope="row"><%= label %></th>
<% it.verbs.forEach((verb) => { %><td><label><span class="visually-hidden"><%= verb %> <%= label %></span><input type="checkbox" name="action" value="<%= model %>:<%= verb %>"<% if (it.form.action.includes(model + ':' + verb)) { %> checked<% } %>></label></td><% }) %></tr><% }) %></tbody>
</table></div>`;

export const profileTemplate = /* html */ `<main>
<% if (it.notice) { %><div class="notice good" role="status"><p><%= it.notice %></p></div><% } %>
${alertNotice}
<div class="card">
<h1><%= it.person.name %></h1>
<dl class="facts"><dt>E-mail</dt><dd><%= it.person.primaryEmail %><% if (!it.person.verified) { %> <span class="badge">Not verified</span><% } %></dd><dt>Account</dt><dd><%= it.accountName %></dd>
<dt>Support ID</dt><dd><%= it.supportId %></dd><dt>Roles</dt><dd><%= it.roles %></dd></dl>
<% if (!it.person.verified) { %><p class="below">To sign in again, open the link that was mailed to this address.</p><% } %>
<p class="below"><a href="/oauth/profile/password">Change your password</a> · <a href="/oauth/profile/address">Change your e-mail address</a></p>
<p class="below"><a href="/oauth/profile/sign-in">Sign-in methods: authenticator app, passkeys, recovery codes</a></p>
<% if (it.administers) { %><p class="below"><a href="/oauth/administration/people">Administration</a></p><% } %>
</div>
<% if (it.offers.length > 0) { %><section class="card" aria-labelledby="offers">
<h2 id="offers">Roles offered to you</h2>
<p class="muted">Partner accounts offer you roles. If you accept, their administrators see your name and your e-mail address.</p>
<ul class="rows">
<% it.offers.forEach((row) => { %><li><div>
<h3><%= row.accountName %></h3>
<p class="small"><%= row.roles %></p>
</div><div class="choices">
<form method="post" action="/oauth/profile/role-offers/<%= row.id %>/decline">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<button>Decline<span class="visually-hidden"> the roles in <%= row.accountName %></span></button></form>
<form method="post" action="/oauth/profile/role-offers/<%= row.id %>/accept">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<button class="primary">Accept<span class="visually-hidden"> the roles in <%= row.accountName %></span></button></form>
</div></li><% }) %>
</ul>
</section><% } %>
<section class="card" aria-labelledby="access">
<h2 id="access">Access &amp; Security</h2>
<p class="muted">The applications that may act for you. Revoking takes effect at once.</p>
<h3>Authorized applications</h3>
<% if (it.authorizations.length === 0) { %><p class="empty">You have not authorized any application.</p><% } else { %>
<ul class="rows">
<% it.authorizations.forEach((row) => { %><li><div>
<h3><%= row.name %></h3>
<p class="small"><%= row.scopes %></p>
${stateNotice}
<p class="muted small">Authorized ${dateOf('row.createdAt')} · <% if (row.lastUsedAt) { %>last used ${dateOf('row.lastUsedAt')}<% } else { %>not used yet<% } %></p>
</div>${revokeForm('authorizations', 'Its tokens stop working at once. To use it again, you have to authorize it again.')}</li><% }) %>
</ul><% } %>
</section>
<section class="card" aria-labelledby="tokens">
<h2 id="tokens">Personal access tokens</h2>
<p class="muted">For your own scripts. A token never allows more than your roles do.</p>
<% if (it.created) { %><div class="notice good" role="status" tabindex="-1" autofocus><p><strong><%= it.created.name %></strong> is ready. Copy it now: it is shown once.</p>
<input class="token" type="text" readonly aria-label="Personal access token" value="<%= it.created.token %>">
<% if (it.form.return) { %>${backLink}<% } %></div><% } %>
<% if (it.tokens.length > 0) { %><ul class="rows">
<% it.tokens.forEach((row) => { %><li><div>
<h3><%= row.name %></h3>
<p class="small"><%= row.scopes %></p>
${stateNotice}
<p class="muted small"><% if (row.expired) { %>Expired<% } else { %>Expires<% } %> ${dateOf('row.expiresAt')} · <% if (row.lastUsedAt) { %>last used ${dateOf('row.lastUsedAt')}<% } else { %>not used yet<% } %></p>
</div>${revokeForm('personal-access-tokens', 'Scripts that use it are refused at once. This cannot be undone.')}</li><% }) %>
</ul><% } else { %><p class="empty">You have no personal access tokens.</p><% } %>
</section>
<section class="card" aria-labelledby="new-token">
<h2 id="new-token">New personal access token</h2>
<% if (it.problem) { %><div class="notice bad" role="alert" tabindex="-1" autofocus><p><%= it.problem %></p></div><% } %>
<% if (it.isFilledIn) { %><div class="notice" role="status"><p>The previous page has filled in this form. Nothing is created until you choose <em>Create token</em>.</p>
<% if (it.form.return) { %>${backLink}<% } %></div><% } %>
<form method="post" action="/oauth/profile/personal-access-tokens">
${hiddenFormToken}${hiddenFormId}
<% if (it.form.return) { %><input type="hidden" name="return" value="<%= it.form.return %>"><% } %>
<div class="split">
<div class="field"><label for="name">Name</label>
<input id="name" type="text" name="name" value="<%= it.form.name %>" maxlength="80" autocomplete="off" required></div>
<div class="field"><label for="days">Expires after</label>
<select id="days" name="days"><% it.lifetimes.forEach((days) => { %><option value="<%= days %>"<% if (String(days) === it.form.days) { %> selected<% } %>><%= days %> days</option><% }) %></select></div>
</div>
<fieldset><legend>Scopes</legend>
<label class="check"><input type="checkbox" name="action" value="me:Name"<% if (it.form.action.includes('me:Name')) { %> checked<% } %>> See your own name</label>
${scopeMatrix}</fieldset>
<button class="primary">Create token</button>
</form>
</section>
${sessionListSection}
${securityLogSection}
</main>
`;
