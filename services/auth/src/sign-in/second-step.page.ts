import { codeField, passkeyAnswer, passkeyScriptTag } from '../factors/factor-forms.page';
import { shownAddress } from '../sessions/page';

export const secondStepAddress = '/oauth/sign-in/second-step';

/** Asks for the second factor after the password or the identity provider: a passkey if there is one, or a code. */
export const secondStepTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Two-step sign-in</h1>
<p class="muted"><% if (it.shown === 'password') { %>Your password is correct.<% } else { %>You have signed in with <%= it.shown %>.<% } %> Now use your second factor to sign in as <strong>${shownAddress('it.email', '.')}</strong></p>
<% if (it.problem) { %><div class="notice bad" role="alert"><p><%= it.problem %></p></div><% } %>
<% if (it.passkeyOptions) { %><form method="post" action="${secondStepAddress}" data-passkey="get" data-options="<%= it.passkeyOptions %>" hidden>
<input type="hidden" name="form_token" value="<%= it.formToken %>">
${passkeyAnswer('passkey')}
<button class="primary wide">Use a passkey</button>
</form><% } %>
<form<% if (it.passkeyOptions) { %> class="after"<% } %> method="post" action="${secondStepAddress}">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
${codeField('code', '<% if (!it.passkeyOptions) { %> autofocus<% } %>')}
<button class="wide<% if (!it.passkeyOptions) { %> primary<% } %>">Continue</button>
</form>
<p class="below"><a href="/oauth/sign-in">Sign in as somebody else</a></p>
</div></main>
<% if (it.passkeyOptions) { %>${passkeyScriptTag}<% } %>
`;
