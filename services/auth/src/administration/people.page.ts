import { hiddenFormToken } from '../sessions/form-token';
import { navigation } from '../sessions/page';
import { dateOf } from '../sessions/moments';

export const peopleTemplate = /* html */ `<main>
${navigation}
<% if (it.notice) { %><div class="notice good" role="status"><p><%= it.notice %></p></div><% } %>
<% if (it.problem) { %><div class="notice bad" role="alert"><p><%= it.problem %></p></div><% } %>
<section class="card" aria-labelledby="people">
<h1 id="people">People</h1>
<p class="muted">The people of <strong><%= it.accountName %></strong>. The API creates people with <code>personCreate</code>; a new person gets a mail with a link to choose a password.</p>
<% if (!it.areSent) { %><div class="notice"><p>This installation sends no mails. Its operator creates a link for a person with <code>make-link --account <%= it.accountId %> --email …</code></p></div><% } %>
<form class="filter" method="get" action="/oauth/administration/people">
<div class="field"><label for="q">Name or address</label>
<input id="q" type="text" name="q" value="<%= it.q %>" maxlength="128" autocomplete="off"></div>
<button>Search</button>
</form>
<% if (it.rows.length === 0) { %><p class="empty">Nobody matches.</p><% } else { %><ul class="rows">
<% it.rows.forEach((row) => { %><li><div>
<h2 class="name"><%= row.name %><% if (row.disabled) { %> <span class="badge">Disabled</span><% } %><% if (row.unverified) { %> <span class="badge">Address not verified</span><% } %></h2>
<p class="small"><%= row.email %></p>
<p class="muted small"><%= row.roles || 'no role' %><% if (!row.hasPassword) { %> · no password yet<% } %></p>
</div><div class="choices"><% if (row.needsLink && it.areSent) { %><form method="post" action="/oauth/administration/people/<%= row.id %>/send-link">
${hiddenFormToken}
<button><% if (row.hasPassword) { %>Send link<% } else { %>Send invitation<% } %><span class="visually-hidden"> to <%= row.name %></span></button></form><% } %>
<form method="post" action="/oauth/administration/people/<%= row.id %>/end-sessions">
${hiddenFormToken}
<button class="danger">Sign out<span class="visually-hidden"> <%= row.name %> everywhere</span></button></form></div></li><% }) %>
</ul><% } %>
<% if (it.first || it.next) { %><nav class="pager" aria-label="Pages of the list">
<% if (it.first) { %><a href="<%= it.first %>">First page</a><% } %>
<% if (it.next) { %><a href="<%= it.next %>" rel="next">Next</a><% } %>
</nav><% } %>
</section>
<% if (it.offers.length > 0) { %><section class="card" aria-labelledby="offers">
<h2 id="offers">Roles offered to people of partners</h2>
<p class="muted">The API offers roles in this account with <code>roleOfferCreate</code>. A person who accepts is listed above. For privacy, nothing shows who declined, or whether an address exists.</p>
<ul class="rows">
<% it.offers.forEach((row) => { %><li><div>
<h3><%= row.to %></h3>
<p class="small"><%= row.roles %> · of <%= row.partner %></p>
<p class="muted small">Offered ${dateOf('row.createdAt')} by <%= row.by %> · open until ${dateOf('row.expiresAt')}</p>
<% if (!row.canBeAccepted) { %><p class="small"><span class="badge">Cannot be accepted</span> The two accounts do not trust each other.</p><% } %>
</div><form method="post" action="/oauth/administration/people/role-offers/<%= row.id %>/withdraw">
${hiddenFormToken}
<button class="danger">Withdraw<span class="visually-hidden"> the roles offered to <%= row.to %> of <%= row.partner %></span></button></form></li><% }) %>
</ul>
</section><% } %>
</main>
`;
