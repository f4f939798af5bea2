import { badRequest, forbidden } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, Router } from 'express';
import { z } from 'zod';
import type { AccountRepository } from '../directory/account.repository';
import { sendPage } from '../sessions/page';
import { isAdministrator } from '../directory/person';
import { requireSignIn, signedInOf, visitorOf } from '../sessions/visitor';
import { alertEvents, auditEvents, isAuditEvent } from '../security/audit-event';
import type { AuditEvent } from '../security/audit-event';
import { accountLogTemplate, toLogPage } from './security-log.page';
import type { SecurityLogService } from './security-log.service';

interface Dependencies {
  readonly securityLog: SecurityLogService;
  readonly accounts: AccountRepository;
}

const address = '/oauth/administration/security-log';
const querySchema = z.object({
  event: z.string().max(64).default(''),
  account: z.string().max(64).default(''),
  log: z.string().max(64).optional(),
});

/** `GET /oauth/administration/security-log`: everything in the account, for its administrators. */
export function createSecurityLogRoutes({ securityLog, accounts }: Dependencies): Router {
  const router = express.Router();
  router
    .route('/administration/security-log')
    .all(requireSignIn(address))
    .get(async (req, res) => {
      const { event, account, log } = parseQuery(req);
      const { person } = signedInOf(req);
      const accountId = account || person.accountId;
      if (!isAdministrator(person, accountId)) throw forbidden('Only administrators of the account can read its log.');
      const events = eventsOf(event);
      const [page, found] = await Promise.all([securityLog.page(accountId, { events }, log), accounts.find(accountId)]);
      const query = { ...(account && { account }), ...(event && { event }) };
      const data = {
        section: 'security-log',
        account,
        event,
        events: choices,
        accountName: found?.name ?? accountId,
        log: { ...toLogPage(page, person, { address, query, cursor: log }), references: true },
      };
      sendPage(res, 200, { title: 'Security log', template: accountLogTemplate, data }, visitorOf(req));
    })
    .all(methodNotAllowed('GET'));
  return router;
}

const choices = Object.keys(auditEvents)
  .filter(isAuditEvent)
  .map((event) => ({ event, title: auditEvents[event].title }));

function parseQuery(req: Request) {
  const result = querySchema.safeParse(req.query);
  if (!result.success) throw badRequest('The address is incomplete.');
  return result.data;
}

function eventsOf(event: string): readonly AuditEvent[] | undefined {
  if (event === '') return undefined;
  if (event === 'alerts') return alertEvents;
  if (!isAuditEvent(event)) throw badRequest('There is no such event.');
  return [event];
}
