import { Router } from 'express';
import type { Request, Response } from 'express';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import { newestFirst } from './delivery.repository';
import type { DeliveryFilter, DeliveryRepository } from './delivery.repository';
import { deliveryIdOf, deliveryResource as resource, webhookIdOf } from './delivery.resource';
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
      sendRecord(req, res, { resource, record: delivery, view });
    })
    .all(mayRead, methodNotAllowed('GET'));
  return router;
}

/** `/v1/webhooks/:id/deliveries`: the log of one webhook. */
export function createWebhookDeliveryRouter(dependencies: Dependencies): Router {
  const list = createDeliveryList(dependencies);
  const idOf = recordIdIn(dependencies.view.nodeIdDomain, 'Webhook');
  const router = Router();
  router
    .route('/:id/deliveries')
    .get(mayRead, (req, res) => {
      const webhookId = idOf(req);
      return list(req, res, [], () => ({ webhookId }));
    })
    .all(mayRead, methodNotAllowed('GET'));
  return router;
}

/** Handler for a page of the account's log. `narrow` reads additional conditions from the query parameters named in `further`. */
const createDeliveryList =
  ({ deliveries, view, baseUrl }: Dependencies) =>
  (
    req: Request,
    res: Response,
    further: readonly string[],
    narrow: (parameters: ReadonlyMap<string, string>) => DeliveryFilter,
  ): Promise<void> =>
    sendCollection(req, res, {
      resource,
      source: (parameters) => deliveries.collect(callerOf(req).accountId, narrow(parameters)),
      further,
      usualOrder: newestFirst,
      view,
      baseUrl,
    });
