import type { Request, Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Person } from '@itsm/shared/contracts/records';
import type { Addresses } from '../webhooks/addresses';
import { accountOf, administrators, callingPerson, createPrivateRouter } from '../webhooks/webhook.http';
import type { WebhookService } from '../webhooks/webhook.service';
import type { PageLinks } from './page-link';
import type { VerificationService } from './verification.service';

/** Dependencies of resending a verification and making page links, in REST and GraphQL. */
export interface ResendDependencies {
  readonly webhooks: Pick<WebhookService, 'find'>;
  readonly verifications: VerificationService;
  readonly links: PageLinks;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

/** `/v1/webhooks/:id/verify` and `page`. */
export function createResendRouter({
  webhooks,
  verifications,
  links,
  addresses,
  nodeIdDomain,
}: ResendDependencies): Router {
  const personOf = (req: Request): Person => callingPerson(callerOf(req), addresses);
  const idOf = recordIdIn(nodeIdDomain, 'Webhook');

  const router = createPrivateRouter();
  router
    .route('/:id/page')
    .post(administrators('webhook:Update'), async (req, res) => {
      const { id } = await webhooks.find(accountOf(req), idOf(req));
      const { url, expiresAt } = links.create(accountOf(req), id, personOf(req));
      res
        .status(201)
        .location(url)
        .json({ url, expires_at: presentTime(expiresAt) });
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/:id/verify')
    .post(administrators('webhook:Update'), async (req, res) => {
      await verifications.resend(accountOf(req), idOf(req), personOf(req));
      res.status(204).end();
    })
    .all(methodNotAllowed('POST'));
  return router;
}
