import { newPasswordFields } from '../mailed-links/link.page';
import { addressField, shownAddress } from '../sessions/page';
import { hiddenFormToken } from '../sessions/form-token';

const problem = /* html */ `<% if (it.problem) { %><div id="problem" class="notice bad" role="alert" tabindex="-1" autofocus><p><a href="#<%= it.field %>"><%= it.problem %></a></p></div><% } %>`;

const currentPassword = /* html */ `<div class="field"><label for="current">Current password</label>
<input id="current" type="password" name="current" autocomplete="current-password" maxlength="1024" required<% if (it.field === 'current') { %> aria-invalid="true" aria-describedby="problem"<% } %>></div>`;

const back = /* html */ `<p class="below"><a href="/oauth/profile">Back to your profile</a></p>`;

export const changePasswordTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Change your password</h1>
<% if (!it.person.password) { %><p>You have no password here: you sign in with the identity provider of your organization.</p><% } else { %>
<p class="muted">You stay signed in in this browser and are signed out everywhere else. Authorized applications and personal access tokens keep working until you revoke them.</p>
${problem}
<form method="post" action="/oauth/profile/password">
${hiddenFormToken}
<input type="text" autocomplete="username" value="<%= it.person.primaryEmail %>" readonly hidden>
${currentPassword}
${newPasswordFields}
<button class="primary wide">Change password</button>
</form><% } %>
${back}
</div></main>
`;

export const changeAddressTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Change your e-mail address</h1>
<% if (it.sentTo) { %><div class="notice good" role="status"><p>A mail with a link was sent to <strong><%= it.sentTo %></strong>. Your address changes when you open the link.</p></div>
<% } else if (!it.person.password) { %><p>You have no password here. An administrator of your account can change your address.</p>
<% } else if (!it.areSent) { %><p>This installation sends no mails. An administrator of your account can change your address.</p><% } else { %>
<p class="muted">Your address is <strong>${shownAddress('it.person.primaryEmail', '.')}</strong> We send a link to the new address. Nothing changes until you open it.</p>
${problem}
<form method="post" action="/oauth/profile/address">
${hiddenFormToken}
<div class="field"><label for="primaryEmail">New e-mail address</label>
<input id="primaryEmail" ${addressField} name="primaryEmail" value="<%= it.primaryEmail %>" autocomplete="email" maxlength="254" required<% if (it.field === 'primaryEmail') { %> aria-invalid="true" aria-describedby="problem"<% } %>></div>
${currentPassword}
<button class="primary wide">Send link</button>
</form><% } %>
${back}
</div></main>
`;
