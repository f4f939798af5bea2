/** Asks for the account when the password is right for several people with one address. */
export const choiceTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Choose an account</h1>
<p class="muted">You can sign in to more than one account with this address and password.</p>
<form method="post" action="/oauth/sign-in/choice">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<input type="hidden" name="choice" value="<%= it.choice %>">
<input type="hidden" name="next" value="<%= it.next %>">
<div class="choices">
<% it.rows.forEach((row) => { %><button class="wide" name="person" value="<%= row.id %>"><span><%= row.account %> <span class="muted small">as <%= row.name %></span></span></button><% }) %>
</div>
</form>
</div></main>
`;
