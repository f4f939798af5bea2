/** What is around all pages: the name, who is signed in, and the way out. */
export const layout = /* html */ `<header class="bar"><div>
<a class="brand" href="/oauth/profile"><svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true"><rect x="1" y="1" width="22" height="22" rx="6" stroke="currentColor" stroke-width="2"/><path d="M7 12.5l3.2 3.2L17 9" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>Service Management</a>
<% if (it.person) { %>
<span class="who"><%= it.person.name %> · <%= it.person.accountId %></span>
<form class="inline" method="post" action="/oauth/sign-out">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<% if (it.returnTo) { %><input type="hidden" name="next" value="<%= it.returnTo %>"><% } %>
<button class="plain">Sign out</button></form>
<% } %>
</div></header>
<%~ it.body %>`;
