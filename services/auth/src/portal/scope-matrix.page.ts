/** Boxes for each model of actions and each verb, with those of `it.form.action` ticked. */
export const scopeMatrix = /* html */ `<div class="matrix" tabindex="0" role="group" aria-label="Records"><table>
<thead><tr><th scope="col">Records</th><% it.verbs.forEach((verb) => { %><th scope="col"><%= verb %></th><% }) %></tr></thead>
<tbody><% it.models.forEach(({ model, label }) => { %><tr><th scope="row"><%= label %></th>
<% it.verbs.forEach((verb) => { %><td><label><span class="visually-hidden"><%= verb %> <%= label %></span><input type="checkbox" name="action" value="<%= model %>:<%= verb %>"<% if (it.form.action.includes(model + ':' + verb)) { %> checked<% } %>></label></td><% }) %></tr><% }) %></tbody>
</table></div>`;
