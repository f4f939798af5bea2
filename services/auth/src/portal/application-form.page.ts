import { keyLimits } from '../clients/client-keys';
import { limits } from '../clients/application.input';
import { addressField } from '../sessions/page';
import { described, formPage } from './administration.page';
import { scopeMatrix } from './scope-form.page';

const about = /* html */ `<div class="field"><label for="name">Name</label>
<input id="name" type="text" name="name" value="<%= it.form.name %>" maxlength="${limits.name}" autocomplete="off" required${described('name')}></div>
<div class="field"><label for="description">Description</label>
<textarea id="description" name="description" rows="2" maxlength="${limits.description}"${described('description')}><%= it.form.description %></textarea></div>
<div class="field"><label for="homepage">Homepage</label>
<input id="homepage" type="url" name="homepage" value="<%= it.form.homepage %>" placeholder="https://" maxlength="${limits.uri}" autocomplete="off"${described('homepage')}></div>`;

const grants = /* html */ `<fieldset id="grantTypes"><legend>Grant types</legend>
<% it.grantTypes.forEach(({ type, label, hint }) => { %><label class="check"><input type="checkbox" name="grantType" value="<%= type %>"<% if (it.form.grantType.includes(type)) { %> checked<% } %>><span><%= label %> <span class="muted small"><%= hint %></span></span></label><% }) %>
</fieldset>
<h2>For the authorization code</h2>
<div class="field"><label for="redirectUris">Redirect URIs</label>
<textarea id="redirectUris" name="redirectUris" rows="3" spellcheck="false"${described('redirectUris', 'redirect-hint')}><%= it.form.redirectUris %></textarea>
<p id="redirect-hint" class="muted small">One per line: https, http on 127.0.0.1, or a custom scheme of an app, such as com.example.app. At most ${limits.redirectUris}.</p></div>
<label class="check"><input id="pkceRequired" type="checkbox" name="pkceRequired" value="yes"<% if (it.form.pkceRequired) { %> checked<% } %>><span>Require PKCE <span class="muted small">Recommended. Refuses sign-ins without a code challenge; custom schemes of apps always need one.</span></span></label>
<h2>For token exchange</h2>
<div class="split"><div class="field"><label for="ssoConfigurationId">SSO configuration</label>
<select id="ssoConfigurationId" name="ssoConfigurationId"${described('ssoConfigurationId')}><option value="">None</option>
<% it.ssoConfigurations.forEach(({ id, name }) => { %><option value="<%= id %>"<% if (String(id) === it.form.ssoConfigurationId) { %> selected<% } %>><%= name %></option><% }) %></select></div>
<div class="field"><label for="audience">Audience</label>
<input id="audience" type="text" name="audience" value="<%= it.form.audience %>" maxlength="${limits.audience}" autocomplete="off"${described('audience')}></div></div>
<h2>For client credentials</h2>
<div class="field"><label for="actsAsPersonId">Acts as</label>
<input id="actsAsPersonId" ${addressField} name="actsAs" value="<%= it.form.actsAs %>" autocomplete="off"${described('actsAsPersonId', 'acts-as-hint')}>
<p id="acts-as-hint" class="muted small">The e-mail address of a person. Its calls run as this person, with the roles of this person.</p></div>`;

const keys = /* html */ `<fieldset><legend>Keys instead of a secret</legend>
<p class="muted small">Optional: clients authenticate with a private key (private_key_jwt, RFC 7523).</p>
<div class="field"><label for="jwks">JWKS</label>
<textarea id="jwks" name="jwks" rows="4" spellcheck="false" maxlength="${keyLimits.text}"${described('jwks', 'jwks-hint')}><%= it.form.jwks %></textarea>
<p id="jwks-hint" class="muted small">Public keys as a JWK set, <code>{"keys": [...]}</code>: RSA of at least 2048 bits, P-256 or Ed25519. At most ${keyLimits.keys}.</p></div>
<div class="field"><label for="jwksUri">JWKS URI</label>
<input id="jwksUri" type="url" name="jwksUri" value="<%= it.form.jwksUri %>" placeholder="https://" maxlength="${limits.uri}" autocomplete="off"${described('jwksUri', 'jwks-uri-hint')}>
<p id="jwks-uri-hint" class="muted small">An https address to fetch the keys from instead. They are fetched again within an hour, and for an unknown key ID.</p></div>
<label class="check"><input id="privateKeyJwtRequired" type="checkbox" name="privateKeyJwtRequired" value="yes"<% if (it.form.privateKeyJwtRequired) { %> checked<% } %>${described('privateKeyJwtRequired')}><span>Refuse secrets <span class="muted small">Clients authenticate with their keys only.</span></span></label>
</fieldset>`;

const scopes = /* html */ `<fieldset id="scopes"><legend>Scopes</legend>
<% if (it.isChange) { %><p class="muted small">After a change, its tokens stop working at once, and people have to authorize it again.</p><% } %>
<label class="check"><input type="checkbox" name="action" value="me:Name"<% if (it.form.action.includes('me:Name')) { %> checked<% } %>> See who the person is</label>
${scopeMatrix}
<details<% if (it.form.rules) { %> open<% } %>><summary>Rules beyond the check boxes</summary>
<div class="field"><label for="rules">Rules</label>
<textarea id="rules" name="rules" rows="3" spellcheck="false"${described('scopes', 'rules-hint')}><%= it.form.rules %></textarea>
<p id="rules-hint" class="muted small">One per line, such as <code>deny request:Delete</code> or <code>allow *:Read in wdc</code>. A <code>deny</code> rule takes precedence.</p></div></details>
</fieldset>`;

/** The form to create or change an application. */
export const applicationFormTemplate = formPage([about, grants, keys, scopes].join('\n'));
