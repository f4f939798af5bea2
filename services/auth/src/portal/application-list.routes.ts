import { loadConnection } from '@itsm/shared/api/graphql/connections';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import type { AccountRepository } from '../directory/account.repository';
import type { Application } from '../clients/application';
import type { ApplicationService } from '../clients/application.service';
import { sendPage } from '../sessions/page';
import { signedInOf, visitorOf } from '../sessions/visitor';
import { applicationListTemplate } from './application-list.page';
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
