import { formBody } from '@itsm/shared/api/http/form-body';
import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Addresses } from '../webhooks/addresses';
import type { Person } from '@itsm/shared/contracts/records';
import { wasJustSent } from './verification';
import type { VerificationService } from './verification.service';
import type { Webhook } from '../webhooks/webhook';
import type { WebhookService } from '../webhooks/webhook.service';
import { formHeaders, plainHeaders } from './page';
import type { Surroundings } from './page';
import type { PageLinks } from './page-link';
import { closedPage, refusedPage, webhookPage } from './webhook.page';

interface Dependencies {
  readonly webhooks: Pick<WebhookService, 'peek'>;
  readonly verifications: VerificationService;
  readonly links: PageLinks;
  /** Checked at each request, because a link is valid for longer than a role may be. */
  readonly mayAdminister: (accountId: string, personId: number) => Promise<boolean>;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
  readonly now: Clock;
}

type Parameters = { account: string; id: string };

interface Visit {
  readonly webhook: Webhook;
  readonly person: Person | null;
  readonly token: string;
}

/** Routes of a webhook's page. The token in the link or the form authorizes; there are no cookies. */
export function createPageRouter(dependencies: Dependencies): Router {
  const { webhooks, verifications, links, mayAdminister, addresses, nodeIdDomain, now } = dependencies;

  async function visit({ params }: Request<Parameters>, token: unknown): Promise<Visit | undefined> {
    const id = parseRecordId(nodeIdDomain, 'Webhook', params.id);
    if (id === undefined || typeof token !== 'string') return undefined;
    const person = links.open(params.account, id, token);
    if (!person || !(await mayAdminister(params.account, person.id))) return undefined;
    const webhook = await webhooks.peek(params.account, id);
    return webhook && { webhook, person, token };
  }

  const pathOf = ({ accountId, id }: Webhook) => new URL(addresses.pageUrl(accountId, id)).pathname;

  const aroundOf = ({ params }: Request<Parameters>): Surroundings => ({
    origin: addresses.origin,
    accountId: params.account,
  });

  /** CSRF guard: refuses forms from other sites. */
  const fromHere: RequestHandler<Parameters> = (req, res, next) => {
    const site = req.get('sec-fetch-site');
    if (site === undefined || site === 'same-origin' || site === 'none') next();
    else refuse(res, 403, 'This form was sent from another site.', aroundOf(req));
  };

  const show: RequestHandler<Parameters> = async (req, res) => {
    const found = await visit(req, req.query['token']);
    if (!found) return close(res, aroundOf(req));
    const { webhook, token } = found;
    const look = {
      surroundings: aroundOf(req),
      token,
      action: pathOf(webhook).replace(/page$/, 'resend'),
      justSent: req.query['sent'] === '1',
      now: now(),
    };
    res.set(formHeaders).type('html').send(webhookPage(webhook, look));
  };

  const resend: RequestHandler<Parameters> = async (req, res) => {
    const found = await visit(req, (req.body as Record<string, unknown> | undefined)?.['token']);
    if (!found) return close(res, aroundOf(req));
    const { webhook, person, token } = found;
    // Pages have no rate limit, so this debounce keeps a receiver from being flooded.
    if (wasJustSent(webhook, now()))
      return refuse(res, 409, 'A verification message was sent a moment ago.', aroundOf(req));
    try {
      await verifications.resend(webhook.accountId, webhook.id, person);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      return refuse(res, 409, error.message, aroundOf(req));
    }
    // Redirect after POST, so that a reload does not send again.
    res.set(plainHeaders).redirect(303, `${pathOf(webhook)}?token=${token}&sent=1`);
  };

  const router = express.Router();
  router.route('/accounts/:account/webhooks/:id/page').get(show).all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/accounts/:account/webhooks/:id/resend')
    .post(fromHere, ...formBody('16kb'), resend)
    .all(methodNotAllowed('POST'));
  return router;
}

function refuse(res: Response, status: 403 | 409, reason: string, surroundings: Surroundings): void {
  res.status(status).set(plainHeaders).type('html').send(refusedPage(reason, surroundings));
}

function close(res: Response, surroundings: Surroundings): void {
  res.status(404).set(plainHeaders).type('html').send(closedPage(surroundings));
}
