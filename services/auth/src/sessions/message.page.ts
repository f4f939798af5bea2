export const messageTemplate = /* html */ `<main class="narrow"><div class="card">
<h1><%= it.title %></h1>
<p><%= it.text %></p>
<% if (it.requestId) { %><p class="muted small">Reference: <%= it.requestId %></p><% } %>
<a href="/oauth/profile">Go to your profile</a>
</div></main>
`;
