export const consentTemplate = /* html */ `<main class="narrow"><div class="card">
<div class="pair"><span class="tile" aria-hidden="true"><%= it.application.name.slice(0, 1).toUpperCase() %></span>
<div><p><strong><%= it.application.name %></strong></p><p class="muted small"><%= it.application.description %></p></div></div>
<h1>Allow <%= it.application.name %> to act for you?</h1>
<p class="muted">In <strong><%= it.accountName %></strong>, as <strong><%= it.person.name %></strong> (<%= it.person.primaryEmail %>), it will be able to:</p>
<ul class="scopes">
<% it.scopes.allowed.forEach((text) => { %><li><%= text %></li><% }) %>
<% it.scopes.denied.forEach((text) => { %><li class="never">Never: <%= text %></li><% }) %>
</ul>
<dl class="facts">
<dt>Returns to</dt><dd><%= it.returnsTo %></dd>
<dt>Lasts</dt><dd>until you revoke it, under Access &amp; Security in your profile</dd>
</dl>
<form method="post" action="/oauth/consents/<%= it.consentId %>">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<div class="actions">
<button name="decision" value="deny">Deny</button>
<button class="primary" name="decision" value="allow">Allow</button>
</div>
</form>
</div>
<p class="muted small below">Not you? Sign out above and sign in as somebody else. Your password is never shared with the application.</p>
</main>
`;
