import { navigation } from '../sessions/navigation';

export const applicationListTemplate = /* html */ `<main>
${navigation}
<section class="card" aria-labelledby="applications">
<div class="heading"><h1 id="applications">Applications</h1>
<a class="button primary" href="/oauth/administration/applications/new">New application</a></div>
<p class="muted">What may call the API for the people of <strong><%= it.accountName %></strong>, or for itself.</p>
<% if (it.rows.length === 0) { %><p class="empty">There are no applications yet.</p><% } else { %><ul class="rows">
<% it.rows.forEach((row) => { %><li><div>
<h3><a href="/oauth/administration/applications/<%= row.id %>"><%= row.name %></a><% if (row.disabled) { %> <span class="badge">Disabled</span><% } %></h3>
<% if (row.description) { %><p class="small"><%= row.description %></p><% } %>
<p class="muted small"><%= row.grants %> · <%= row.tokens %></p>
</div></li><% }) %>
</ul><% } %>
<% if (it.older || it.newest) { %><nav class="pager" aria-label="Pages of the list">
<% if (it.newest) { %><a href="/oauth/administration/applications">Newest</a><% } %>
<% if (it.older) { %><a href="<%= it.older %>" rel="next">Older</a><% } %>
</nav><% } %>
</section>
</main>
`;
