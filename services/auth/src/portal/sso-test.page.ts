import { hiddenFormToken, navigation } from './administration.page';

export const ssoTestTemplate = /* html */ `<main>
${navigation}
<section class="card" aria-labelledby="heading">
<h1 id="heading">Test <%= it.configuration.name %></h1>
<p class="muted">Asks <code><%= it.configuration.issuer %></code> for its documents, and says whom an identity token means, or why it means nobody. Nothing is signed in or used up.</p>
<% if (it.steps.length > 0) { %><div role="status"><dl class="facts">
<% it.steps.forEach((step) => { %><dt><%= step.name %></dt><dd><% if (!step.good) { %><span class="badge">Failed</span> <% } %><%= step.text %></dd><% }) %>
</dl></div><% } %>
<form class="after" method="post" action="<%= it.action %>">
${hiddenFormToken}
<div class="field"><label for="audience">Audience</label>
<input id="audience" type="text" name="audience" value="<%= it.audience %>" maxlength="255" autocomplete="off" aria-describedby="audience-hint">
<p id="audience-hint" class="muted small">Of the application that exchanges the token, or the client ID of this configuration.</p></div>
<div class="field"><label for="token">Identity token</label>
<textarea id="token" name="token" rows="6" maxlength="15000" autocomplete="off" spellcheck="false" aria-describedby="token-hint"></textarea>
<p id="token-hint" class="muted small">A signed JWT of the provider. Left empty, only the provider is asked. It is kept nowhere.</p></div>
<div class="choices"><button class="primary">Test</button>
<a class="button" href="<%= it.back %>">Back</a></div>
</form>
</section>
</main>
`;
