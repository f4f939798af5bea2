export const signInTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Sign in</h1>
<p class="muted"><% if (it.application) { %>to continue to <strong><%= it.application %></strong><% } else { %>to your profile<% } %></p>
<% if (it.problem) { %><div class="notice bad" role="alert"><p><%= it.problem %></p></div><% } %>
<form method="post" action="/oauth/sign-in">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<input type="hidden" name="next" value="<%= it.next %>">
<div class="field"><label for="email">E-mail address</label>
<input id="email" type="email" name="email" value="<%= it.email %>" autocomplete="username" maxlength="254" required<% if (!it.email) { %> autofocus<% } %>></div>
<div class="field"><label for="password">Password</label>
<input id="password" type="password" name="password" autocomplete="current-password" maxlength="1024" required<% if (it.email) { %> autofocus<% } %>></div>
<details<% if (it.account && !it.application) { %> open<% } %>><summary>I belong to more than one account</summary>
<div class="field"><label for="account">Account</label>
<input id="account" type="text" name="account" value="<%= it.account %>" autocomplete="organization" autocapitalize="none" spellcheck="false" maxlength="64"></div>
</details>
<button class="primary wide">Sign in</button>
</form>
</div></main>
`;
