/** Navigation between the pages for administrators; `it.section` is the current one. */
export const navigation = /* html */ `<nav class="tabs" aria-label="Administration">
<a href="/oauth/administration/applications"<% if (it.section === 'applications') { %> aria-current="page"<% } %>>Applications</a>
<a href="/oauth/administration/sso-configurations"<% if (it.section === 'sso-configurations') { %> aria-current="page"<% } %>>SSO configurations</a>
<a href="/oauth/administration/people"<% if (it.section === 'people') { %> aria-current="page"<% } %>>People</a>
<a href="/oauth/administration/account"<% if (it.section === 'account') { %> aria-current="page"<% } %>>Account</a>
<a href="/oauth/administration/security-log"<% if (it.section === 'security-log') { %> aria-current="page"<% } %>>Security log</a>
</nav>`;

/** The errors of a form, above it: the list takes the focus, and each line links to its field. */
const problems = /* html */ `<% if (it.errors.length > 0) { %><div class="notice bad" role="alert" tabindex="-1" autofocus><p>Not saved yet:</p>
<ul><% it.errors.forEach(([field, text], index) => { %><li<% if (it.errors.findIndex(([name]) => name === field) === index) { %> id="<%= field %>-problem"<% } %>><a href="#<%= field %>"><%= text %></a></li><% }) %></ul></div><% } %>`;

/** ARIA attributes of an input: its hint, and its error from `it.errors`. */
export const described = (field: string, hintId?: string): string =>
  `<% if (it.errors.some(([name]) => name === '${field}')) { %> aria-invalid="true" aria-describedby="${[`${field}-problem`, hintId].filter(Boolean).join(' ')}"<% }` +
  (hintId === undefined ? ' %>' : ` else { %> aria-describedby="${hintId}"<% } %>`);

export const hiddenFormToken = /* html */ `<input type="hidden" name="form_token" value="<%= it.formToken %>">`;

/** The hidden id of a form that is carried out once; see `checkFirst`. */
export const hiddenFormId = /* html */ `<input type="hidden" name="form_id" value="<%= it.formId %>">`;

/** A page with one form of these fields. After an error it shows the typed values again with the problems. */
export const formPage = (fields: string): string => /* html */ `<main>
${navigation}
<section class="card" aria-labelledby="heading">
<h1 id="heading"><%= it.title %></h1>
${problems}
<form method="post" action="<%= it.action %>">
${hiddenFormToken}
${fields}
<div class="choices"><button class="primary"><%= it.button %></button>
<a class="button" href="<%= it.back %>">Cancel</a></div>
</form>
</section>
</main>
`;

/** Asks for confirmation before something is deleted or disabled; the question is in the data. */
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
