import { loadConnection } from '@itsm/shared/api/graphql/connections';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import type { AccountRepository } from '../directory/account.repository';
import type { Application } from '../clients/application';
import type { ApplicationService } from '../clients/application.service';
import { sendPage } from '../sessions/page';
import { signedInOf, visitorOf } from '../sessions/visitor';
import { navigation } from './administration.page';
import { describeGrantTypes } from './grant-words';

interface Dependencies {
  readonly applications: ApplicationService;
  readonly accounts: AccountRepository;
}

const pageSize = 50;

/** `GET /oauth/administration/applications`, the newest first. */
export function createApplicationListRoutes({ applications, accounts }: Dependencies): Router {
  const router = express.Router();
  router
    .route('/administration/applications')
    .get(async (req, res) => {
      const { accountId } = signedInOf(req).person;
      const before = typeof req.query['before'] === 'string' ? req.query['before'] : undefined;
      const [account, page] = await Promise.all([
        accounts.find(accountId),
        loadConnection(
          { last: pageSize, ...(before !== undefined && { before }) },
          { read: (slice) => applications.list(accountId, slice), count: () => applications.count(accountId) },
        ),
      ]);
      const { hasPreviousPage, startCursor } = page.pageInfo;
      const data = {
        section: 'applications',
        accountName: account?.name ?? accountId,
        rows: page.nodes.map(toRow).reverse(),
        newest: before !== undefined,
        older: hasPreviousPage && `/oauth/administration/applications?before=${startCursor}`,
      };
      sendPage(res, 200, { title: 'Applications', template: applicationListTemplate, data }, visitorOf(req));
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

const toRow = ({ id, name, description, grantTypes, tokens, disabledAt }: Application) => ({
  id,
  name,
  description,
  disabled: disabledAt !== null,
  grants: describeGrantTypes(grantTypes),
  tokens: tokens.length === 1 ? '1 client token' : `${tokens.length} client tokens`,
});

const applicationListTemplate = /* html */ `<main>
${navigation}
<section class="card" aria-labelledby="applications">
<div class="heading"><h1 id="applications">Applications</h1>
<a class="button primary" href="/oauth/administration/applications/new">New application</a></div>
<p class="muted">Applications that may call the API in <strong><%= it.accountName %></strong>: for people who authorize them, or as one person.</p>
<% if (it.rows.length === 0) { %><p class="empty">There are no applications yet.</p><% } else { %><ul class="rows">
<% it.rows.forEach((row) => { %><li><div>
<h2><a href="/oauth/administration/applications/<%= row.id %>"><%= row.name %></a><% if (row.disabled) { %> <span class="badge">Disabled</span><% } %></h2>
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
