import { newPasswordFields } from '../mailed-links/link.page';
import { addressField } from '../sessions/page';
import { hiddenFormToken } from './administration.page';

const problem = /* html */ `<% if (it.problem) { %><div id="problem" class="notice bad" role="alert" tabindex="-1" autofocus><p><a href="#<%= it.field %>"><%= it.problem %></a></p></div><% } %>`;

const currentPassword = /* html */ `<div class="field"><label for="current">Your present password</label>
<input id="current" type="password" name="current" autocomplete="current-password" maxlength="1024" required<% if (it.field === 'current') { %> aria-invalid="true" aria-describedby="problem"<% } %>></div>`;

const back = /* html */ `<p class="below"><a href="/oauth/profile">Back to your profile</a></p>`;

export const changePasswordTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Change your password</h1>
<% if (!it.person.password) { %><p>You have no password here. You sign in with the identity provider of your organization.</p><% } else { %>
<p class="muted">You stay signed in here and are signed out everywhere else. Applications and tokens keep their access until you revoke it.</p>
${problem}
<form method="post" action="/oauth/profile/password">
${hiddenFormToken}
<input type="text" autocomplete="username" value="<%= it.person.primaryEmail %>" readonly hidden>
${currentPassword}
${newPasswordFields}
<button class="primary wide">Change the password</button>
</form><% } %>
${back}
</div></main>
`;

export const changeAddressTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Change your e-mail address</h1>
<% if (it.sentTo) { %><div class="notice good" role="status"><p>A mail with a link is on its way to <strong><%= it.sentTo %></strong>. The address is yours as soon as you have followed it.</p></div>
<% } else if (!it.person.password) { %><p>You have no password here. An administrator of your account can change your address.</p>
<% } else if (!it.areSent) { %><p>This installation sends no mails. An administrator of your account can change your address.</p><% } else { %>
<p class="muted">Your address is <strong><%= it.person.primaryEmail %></strong>. We mail a link to the new one; until you follow it, everything stays as it is.</p>
${problem}
<form method="post" action="/oauth/profile/address">
${hiddenFormToken}
<div class="field"><label for="primaryEmail">New e-mail address</label>
<input id="primaryEmail" ${addressField} name="primaryEmail" value="<%= it.primaryEmail %>" autocomplete="email" maxlength="254" required<% if (it.field === 'primaryEmail') { %> aria-invalid="true" aria-describedby="problem"<% } %>></div>
${currentPassword}
<button class="primary wide">Send the link</button>
</form><% } %>
${back}
</div></main>
`;
