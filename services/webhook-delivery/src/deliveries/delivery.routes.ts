import { Router } from 'express';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { sendRecord } from '@itsm/shared/api/rest/send';
import { deliveryIdOf, webhookIdOf } from './delivery-id';
import { createDeliveryList } from './delivery-list';
import type { DeliveryRepository } from './delivery.repository';
import { deliveryResource } from './delivery.resource';
import type { DeliveryView } from './delivery.resource';

interface Dependencies {
  readonly deliveries: DeliveryRepository;
  readonly view: DeliveryView;
  readonly baseUrl: string;
}

const mayRead = allow('webhook-delivery:Read', 'account_administrator');

/** `/v1/webhook_deliveries`, the delivery log of the current account; for account administrators only. */
export function createDeliveryRouter(dependencies: Dependencies): Router {
  const { deliveries, view } = dependencies;
  const { nodeIdDomain } = view;
  const list = createDeliveryList(dependencies);
  const router = Router();
  router
    .route('/')
    .get(mayRead, (req, res) =>
      list(req, res, ['webhook_id'], (parameters) => {
        const text = parameters.get('webhook_id');
        return text === undefined ? {} : { webhookId: webhookIdOf(nodeIdDomain, text) };
      }),
    )
    .all(mayRead, methodNotAllowed('GET'));
  router
    .route('/:id')
    .get(mayRead, async (req, res) => {
      const delivery = await deliveries.find(callerOf(req).accountId, deliveryIdOf(nodeIdDomain, req.params.id));
      if (!delivery) throw notFound();
      sendRecord(req, res, { resource: deliveryResource, record: delivery, view });
    })
    .all(mayRead, methodNotAllowed('GET'));
  return router;
}

/** `/v1/webhooks/:id/deliveries`: the log of one webhook. */
export function createWebhookDeliveryRouter(dependencies: Dependencies): Router {
  const list = createDeliveryList(dependencies);
  const router = Router();
  router
    .route('/:id/deliveries')
    .get(mayRead, (req, res) => {
      const webhookId = parseRecordId(dependencies.view.nodeIdDomain, 'Webhook', req.params.id);
      if (webhookId === undefined) throw notFound();
      return list(req, res, [], () => ({ webhookId }));
    })
    .all(mayRead, methodNotAllowed('GET'));
  return router;
}
