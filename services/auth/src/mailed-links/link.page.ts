import { addressField } from '../sessions/page';

/** The hint next to every field for a new password. */
export const passwordHint = (id: string): string =>
  /* html */ `<p id="${id}" class="muted small">12 to 256 characters of any kind, for example a few unrelated words.</p>`;

/** The password is typed twice: a typing error in a hidden field would lock the person out. */
export const newPasswordFields = /* html */ `<div class="field"><label for="password">New password</label>
<input id="password" type="password" name="password" autocomplete="new-password" maxlength="1024" required<% if (it.problem && it.field !== 'current') { %> aria-invalid="true" aria-describedby="problem password-hint"<% } else { %> aria-describedby="password-hint"<% } %>>
${passwordHint('password-hint')}</div>
<div class="field"><label for="again">Repeat the new password</label>
<input id="again" type="password" name="again" autocomplete="new-password" maxlength="1024" required></div>`;

const problem = /* html */ `<% if (it.problem) { %><div id="problem" class="notice bad" role="alert" tabindex="-1" autofocus><p><a href="#password"><%= it.problem %></a></p></div><% } %>`;

export const choosePasswordTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Choose a password</h1>
<p class="muted">for <strong><%= it.email %></strong> in the account <%= it.accountName %></p>
${problem}
<form method="post" action="/oauth/choose-password">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<input type="hidden" name="token" value="<%= it.token %>">
<input type="text" autocomplete="username" value="<%= it.email %>" readonly hidden>
${newPasswordFields}
<button class="primary wide">Set password</button>
</form>
</div></main>
`;

export const verifyAddressTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Verify your e-mail address</h1>
<p><strong><%= it.name %></strong> will sign in to the account <%= it.accountName %> with <strong><%= it.email %></strong>.</p>
<form method="post" action="/oauth/verify-address">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<input type="hidden" name="token" value="<%= it.token %>">
<button class="primary wide">Yes, this is my address</button>
</form>
<p class="muted small below">If this is not you, close this page. Nothing changes.</p>
</div></main>
`;

/** The outcome of a link, with a link to go on. */
export const outcomeTemplate = /* html */ `<main class="narrow"><div class="card">
<h1><%= it.heading %></h1>
<p><%= it.text %></p>
<p class="below"><a class="button" href="<%= it.href %>"><%= it.label %></a></p>
</div></main>
`;

export const forgotPasswordTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Forgot your password?</h1>
<% if (!it.areSent) { %><p>This installation sends no mails. Ask its operator for a link to choose a new password.</p><% } else { %>
<p class="muted">We send you a link to choose a new one.</p>
<% if (it.problem) { %><div id="problem" class="notice bad" role="alert" tabindex="-1" autofocus><p><a href="#email"><%= it.problem %></a></p></div><% } %>
<form method="post" action="/oauth/forgot-password">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<div class="field"><label for="email">E-mail address</label>
<input id="email" ${addressField} name="email" value="<%= it.email %>" autocomplete="username" maxlength="254" required<% if (it.problem) { %> aria-invalid="true" aria-describedby="problem"<% } %>></div>
<button class="primary wide">Send link</button>
</form><% } %>
<p class="below"><a href="/oauth/sign-in">Back to sign-in</a></p>
</div></main>
`;
