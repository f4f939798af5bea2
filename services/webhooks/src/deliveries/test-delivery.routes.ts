import express from 'express';
import type { Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Addresses } from '../webhooks/addresses';
import { accountOf, administrators, callingPerson, noStore, webhookIdOf } from '../webhooks/webhook.http';
import type { TestSender } from './test-delivery.service';

interface Dependencies {
  readonly sendTest: TestSender;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

/** `/v1/webhooks/:id/test`. */
export function createTestDeliveryRouter({ sendTest, addresses, nodeIdDomain }: Dependencies): Router {
  const router = express.Router();
  router.use(noStore);
  router
    .route('/:id/test')
    .post(administrators('webhook:Update'), async (req, res) => {
      await sendTest(accountOf(req), webhookIdOf(req, nodeIdDomain), callingPerson(callerOf(req), addresses));
      res.status(204).end();
    })
    .all(methodNotAllowed('POST'));
  return router;
}
