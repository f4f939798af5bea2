import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { notFound } from '@itsm/shared/errors/app-error';
import { jsonBody } from '@itsm/shared/http/json-body';
import { methodNotAllowed } from '@itsm/shared/http/method-not-allowed';
import { parseRecordId } from '@itsm/shared/ids/node-id';
import { allow } from '@itsm/shared/identity/allow';
import { callerOf } from '@itsm/shared/identity/authenticate';
import { parseBody } from '@itsm/shared/rest/parse-body';
import { checkFields, sendRecord } from '@itsm/shared/rest/send';
import { redeliverySchema } from '../redeliveries/redelivery-input';
import type { Redelivered, RedeliveryService } from '../redeliveries/redelivery.service';
import type { Delivery } from './delivery';
import { parseDeliveryId } from './delivery-id';
import { createDeliveryList } from './delivery-list';
import type { DeliveryRepository } from './delivery.repository';
import { deliveryResource } from './delivery.resource';
import type { DeliveryView } from './delivery.resource';

interface Dependencies {
  readonly deliveries: DeliveryRepository;
  readonly redeliveries: RedeliveryService;
  readonly view: DeliveryView;
  readonly baseUrl: string;
}

const mayRead = allow('webhook-delivery:Read', 'account_administrator');
const mayCreate = allow('webhook-delivery:Create', 'account_administrator');
/** No webhook has this number: the list is empty. */
const nobody = 0;

/** `/v1/webhook_deliveries`, the delivery log of the current account; for account administrators only. */
export function createDeliveryRouter(dependencies: Dependencies): Router {
  const { deliveries, redeliveries, view, baseUrl } = dependencies;
  const { nodeIdDomain } = view;
  const list = createDeliveryList(dependencies);
  const webhookIdOf = (text: string | number): number => parseRecordId(nodeIdDomain, 'Webhook', String(text)) ?? nobody;
  const idOf = (text: string): string => parseDeliveryId(nodeIdDomain, text) ?? '';

  const send = (req: Request, res: Response, record: Delivery) =>
    sendRecord(req, res, { resource: deliveryResource, record, view });

  const redeliverMany: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const input = parseBody(redeliverySchema, req.body);
    if ('ids' in input) {
      // Each is told by the text that it was asked for with.
      const texts = [...new Set(input.ids)];
      const results = await redeliveries.redeliverEach(accountId, texts.map(idOf));
      res.json(presentRedelivered(results.map((one, index) => ({ ...one, id: texts[index] ?? one.id }))));
      return;
    }
    const selection = { webhookId: webhookIdOf(input.webhook_id), from: input.from, until: input.until };
    if (input.preview) res.json({ count: await redeliveries.count(accountId, selection) });
    else res.json(presentRedelivered(await redeliveries.redeliverSelected(accountId, selection)));
  };

  const router = Router();
  router
    .route('/')
    .get(mayRead, (req, res) =>
      list(req, res, ['webhook_id'], (parameters) => {
        const text = parameters.get('webhook_id');
        return text === undefined ? {} : { webhookId: webhookIdOf(text) };
      }),
    )
    .all(mayRead, methodNotAllowed('GET'));
  router
    .route('/redeliver')
    .post(mayCreate, ...jsonBody(), redeliverMany)
    .all(mayCreate, methodNotAllowed('POST'));
  router
    .route('/:id')
    .get(mayRead, async (req, res) => {
      const delivery = await deliveries.find(callerOf(req).accountId, idOf(req.params.id));
      if (!delivery) throw notFound();
      send(req, res, delivery);
    })
    .all(mayRead, methodNotAllowed('GET'));
  router
    .route('/:id/redeliver')
    .post(mayCreate, checkFields(deliveryResource), async (req, res) => {
      const delivery = await redeliveries.redeliver(callerOf(req).accountId, idOf(req.params.id));
      res.status(201).location(`${baseUrl.replace(/\/$/, '')}/v1/webhook_deliveries/${delivery.id}`);
      send(req, res, delivery);
    })
    .all(mayCreate, methodNotAllowed('POST'));
  return router;
}

/** `/v1/webhooks/:id/deliveries`: the log of one webhook. */
export function createWebhookDeliveryRouter(dependencies: Omit<Dependencies, 'redeliveries'>): Router {
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

function presentRedelivered(results: readonly Redelivered[]) {
  const made = results.flatMap((one) => ('delivery' in one ? [{ id: one.id, delivery_id: one.delivery.id }] : []));
  const refused = results.flatMap((one) => ('refused' in one ? [{ id: one.id, message: one.refused }] : []));
  return { redelivered: made, refused };
}
