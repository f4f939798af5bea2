import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { Webhook } from '../webhooks/webhook';
import type { Addresses } from '../webhooks/addresses';
import { linkToConsole, linkToWebhooks, plainHeaders, render } from './page';
import type { Surroundings } from './page';
import type { VerificationService } from './verification.service';

interface Dependencies {
  readonly verifications: VerificationService;
  readonly addresses: Pick<Addresses, 'origin'>;
  readonly nodeIdDomain: string;
}

type Parameters = { account: string; id: string };

const codeForm = /^[\w-]{24}$/;

const wantsJson = (req: Request<Parameters>): boolean => req.accepts(['html', 'json']) === 'json';

/** The callback of webhook.verify, `/accounts/:account/webhooks/:id/verify`: public, because the code is the proof. */
export function createVerificationRouter({ verifications, addresses, nodeIdDomain }: Dependencies): Router {
  /** Undefined for an invalid code. The stored expiry decides; `expires_at` in the query is only informative. */
  async function verify({ params, query }: Request<Parameters>): Promise<Webhook | undefined> {
    const id = parseRecordId(nodeIdDomain, 'Webhook', params.id);
    const code = query['code'];
    if (id === undefined || typeof code !== 'string' || !codeForm.test(code)) return undefined;
    try {
      return await verifications.verify(params.account, id, code);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  const answer: RequestHandler<Parameters> = async (req, res) => {
    const webhook = await verify(req);
    const surroundings = { origin: addresses.origin, accountId: req.params.account };
    res.set({ ...plainHeaders, Vary: 'Accept' });
    if (wantsJson(req)) answerJson(res, webhook);
    else
      res
        .status(webhook ? 200 : 404)
        .type('html')
        .send(webhook ? successPage(webhook, surroundings) : failurePage(surroundings));
  };

  const router = express.Router();
  router
    .route('/accounts/:account/webhooks/:id/verify')
    // Express answers HEAD as GET, so a link preview of a mail program would use up the code.
    .head(methodNotAllowed('GET', 'POST'))
    .get(answer)
    .post(answer)
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

function answerJson(res: Response, webhook: Webhook | undefined): void {
  if (!webhook) throw notFound();
  res.json({ message: 'Verification successful', webhook_id: webhook.id });
}

const successPage = ({ id, name }: Webhook, surroundings: Surroundings): string =>
  render(
    {
      tone: 'good',
      title: 'Verification successful',
      texts: [
        `The webhook “${name}” is active from now on.`,
        'You can close this page. The link cannot be used again.',
      ],
      link: linkToConsole(surroundings, id),
    },
    surroundings,
  );

const failurePage = (surroundings: Surroundings): string =>
  render(
    {
      tone: 'bad',
      title: 'This link does not work',
      texts: [
        'It may have been used already, replaced by a newer one, or be older than 24 hours.',
        'Within 24 hours of giving the address, an account administrator can have a new one sent: on the page of the webhook in the console, or with POST /v1/webhooks/<id>/verify. After that, set the address of the webhook again.',
      ],
      link: linkToWebhooks(surroundings),
    },
    surroundings,
  );
