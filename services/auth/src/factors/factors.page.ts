import type { Passkey } from './passkey.repository';
import { hiddenFormToken, passkeyAnswer, passkeyScriptTag } from './factor-forms.page';
import { dateOf } from '../sessions/moments';

export const factorsAddress = '/oauth/profile/sign-in';

export const presentPasskey = ({ id, name, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  createdAt,
  lastUsedAt,
});

/** The address to go on to, passed from form to form. */
const hiddenNext = /* html */ `<% if (it.next) { %><input type="hidden" name="next" value="<%= it.next %>"><% } %>`;

const shownCodes = /* html */ `<% if (it.shown) { %><section class="card" aria-labelledby="shown">
<h2 id="shown">Your recovery codes</h2>
<p>Each signs you in once, instead of a code. Store them where you can reach them without your phone. They are shown once.</p>
<ul class="codes"><% it.shown.forEach((code) => { %><li><code><%= code %></code></li><% }) %></ul>
<% if (it.goOn) { %><p class="below"><a class="button primary" href="<%= it.goOn %>">I have stored them, continue</a></p><% } %>
</section><% } %>`;

const authenticatorApp = /* html */ `<section class="card" aria-labelledby="app">
<h2 id="app">Authenticator app</h2>
<p class="muted">An app on your phone shows a six-digit code that you enter after your password.</p>
<% if (it.totp) { %><ul class="rows"><li><div><h3>Authenticator app</h3>
<p class="muted small">Added ${dateOf('it.totp.addedAt')} · last used ${dateOf('it.totp.lastUsedAt')}</p></div>
<form method="post" action="${factorsAddress}/authenticator/remove">${hiddenFormToken}
<button class="danger">Remove<span class="visually-hidden"> the authenticator app</span></button></form></li></ul><% } else { %>
<form class="after" method="post" action="${factorsAddress}/authenticator/new">${hiddenFormToken}${hiddenNext}
<button class="primary">Set up an authenticator app</button></form><% } %>
</section>`;

const passkeyList = /* html */ `<section class="card" aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
<p class="muted">A passkey is stored on your device or a security key. It replaces the password, or the code after the password.</p>
<% if (it.passkeys.length > 0) { %><ul class="rows">
<% it.passkeys.forEach((row) => { %><li><div><h3><%= row.name %></h3>
<p class="muted small">Added ${dateOf('row.createdAt')} · <% if (row.lastUsedAt) { %>last used ${dateOf('row.lastUsedAt')}<% } else { %>not used yet<% } %></p></div>
<form method="post" action="${factorsAddress}/passkeys/<%= row.id %>/remove">${hiddenFormToken}
<button class="danger">Remove<span class="visually-hidden"> <%= row.name %></span></button></form></li><% }) %>
</ul><% } %>
<form class="after" method="post" action="${factorsAddress}/passkeys/new">${hiddenFormToken}${hiddenNext}
<button<% if (!it.totp && it.passkeys.length === 0) { %> class="primary"<% } %>>Add a passkey</button></form>
</section>`;

const recoveryCodes = /* html */ `<% if (it.hasFactor) { %><section class="card" aria-labelledby="recovery">
<h2 id="recovery">Recovery codes</h2>
<p class="muted">Single-use codes for when you have lost your phone or passkey. <% if (it.recoveryCodes === 0) { %>You have none left.<% } else { %>You have <%= it.recoveryCodes %> left.<% } %></p>
<form class="after" method="post" action="${factorsAddress}/recovery-codes">${hiddenFormToken}
<p class="muted small">New codes replace the current ones.</p>
<button>Create new recovery codes</button></form>
</section><% } %>`;

/** How the person signs in. */
export const factorsTemplate = /* html */ `<main>
<div class="heading"><h1>Sign-in methods</h1><% if (!it.mustAdd) { %><a href="/oauth/profile">Back to your profile</a><% } %></div>
<% if (it.mustAdd) { %><div class="notice" role="status"><p><strong>Your account requires a second factor.</strong> Set one up to continue.</p></div><% } %>
<% if (it.notice) { %><div class="notice good" role="status"><p><%= it.notice %></p></div><% } %>
${shownCodes}
${authenticatorApp}
${passkeyList}
${recoveryCodes}
</main>
`;

export const authenticatorTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Set up an authenticator app</h1>
<% if (it.problem) { %><div class="notice bad" role="alert"><p><%= it.problem %></p></div><% } %>
<p>Scan the QR code with the app, or enter the key.</p>
<%~ it.qr %>
<dl class="secret"><dt>Key</dt><dd><code class="token" tabindex="0"><%= it.secret %></code></dd></dl>
<p class="small"><a href="<%= it.uri %>">Open in an app on this device</a></p>
<form method="post" action="${factorsAddress}/authenticator">${hiddenFormToken}${hiddenNext}
<input type="hidden" name="offer" value="<%= it.sealed %>">
<div class="field"><label for="code">Code from the app</label>
<input id="code" type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required<% if (it.problem) { %> aria-invalid="true"<% } %>></div>
<button class="primary wide">Confirm</button>
</form>
<p class="below"><a href="<%= it.back %>">Cancel</a></p>
</div></main>
`;

export const newPasskeyTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Add a passkey</h1>
<% if (it.problem) { %><div class="notice bad" role="alert"><p><%= it.problem %></p></div><% } %>
<p class="muted">Your browser asks where to store it: on this device, on your phone, or on a security key.</p>
<noscript><div class="notice bad"><p>Passkeys need JavaScript in your browser.</p></div></noscript>
<div class="notice bad" data-without-passkeys hidden><p>This browser does not support passkeys.</p></div>
<form method="post" action="${factorsAddress}/passkeys" data-passkey="create" data-options="<%= it.passkeyOptions %>" hidden>${hiddenFormToken}${hiddenNext}
${passkeyAnswer('passkey')}
<div class="field"><label for="name">Name</label>
<input id="name" type="text" name="name" value="<%= it.name %>" maxlength="60" autocomplete="off" required></div>
<button class="primary wide">Create passkey</button>
</form>
<p class="below"><a href="<%= it.back %>">Cancel</a></p>
</div></main>
${passkeyScriptTag}
`;
