import { passkeyAnswer, passkeyScriptTag } from '../factors/factor-forms.page';
import { addressField } from '../sessions/page';

const providerLinks = /* html */ `<div class="choices">
<% it.providers.forEach((one) => { %><a class="button wide" href="<%= one.address %>">Sign in with <%= one.name %></a><% }) %>
</div>`;

/** Asks for address and password, a passkey, or the account whose identity providers are then shown. */
export const signInTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Sign in</h1>
<p class="muted"><% if (it.application) { %>to continue to <strong><%= it.application %></strong><% } else if (it.next === '/oauth/profile') { %>to continue to your profile<% } else { %>to continue<% } %></p>
<% if (it.problem) { %><div class="notice bad" role="alert"><p><%= it.problem %></p></div><% } %>
<% if (it.providersFirst) { %>${providerLinks}<p class="or">or with your password</p><% } %>
<form method="post" action="/oauth/sign-in">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<input type="hidden" name="next" value="<%= it.next %>">
<div class="field"><label for="email">E-mail address</label>
<input id="email" ${addressField} name="email" value="<%= it.email %>" autocomplete="username" maxlength="254" required<% if (!it.email && !it.providersFirst) { %> autofocus<% } %>></div>
<div class="field"><label for="password">Password</label>
<input id="password" type="password" name="password" autocomplete="current-password" maxlength="1024" required<% if (it.email) { %> autofocus<% } %>></div>
<details<% if (it.account !== it.accountOfApplication) { %> open<% } %>><summary>I belong to more than one account</summary>
<div class="field"><label for="account">Account</label>
<input id="account" type="text" name="account" value="<%= it.account %>" autocomplete="organization" autocapitalize="none" spellcheck="false" maxlength="64"></div>
</details>
<button class="primary wide">Sign in</button>
</form>
<form class="after" method="post" action="/oauth/sign-in/passkey" data-passkey="get" data-options="<%= it.passkeyOptions %>" hidden>
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<input type="hidden" name="next" value="<%= it.next %>">
${passkeyAnswer('passkey')}
<button class="wide">Sign in with a passkey</button>
</form>
<p class="below"><a href="/oauth/forgot-password">Forgot your password?</a></p>
<% if (it.providers.length > 0 && !it.providersFirst) { %>${providerLinks}<% } %>
<% if (it.providers.length === 0) { %><details class="below"><summary>Sign in with an identity provider (SSO)</summary>
<form method="get" action="/oauth/sign-in">
<input type="hidden" name="next" value="<%= it.next %>">
<div class="field"><label for="organization">Account of your organization</label>
<input id="organization" type="text" name="account" value="<%= it.account %>" autocomplete="organization" autocapitalize="none" spellcheck="false" maxlength="64" required></div>
<button class="wide">Continue</button>
</form>
</details><% } %>
</div></main>
${passkeyScriptTag}
`;
