import { hiddenFormToken } from '../sessions/navigation';

/** Asks once more before something ends; what is asked stands in the data. */
export const confirmationTemplate = /* html */ `<main class="narrow"><div class="card">
<h1><%= it.title %></h1>
<p><%= it.text %></p>
<form method="post" action="<%= it.action %>">
${hiddenFormToken}
<div class="choices"><button class="danger"><%= it.button %></button>
<a class="button" href="<%= it.back %>">Cancel</a></div>
</form>
</div></main>
`;
