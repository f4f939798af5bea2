import { presentCall } from '@itsm/shared/base/concurrency/present-call';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import { isOutage } from '@itsm/shared/base/errors/outage';
import { derivedUuid } from '@itsm/shared/base/ids/derived-uuid';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { toDelivery } from '../deliveries/delivery';
import type { Delivery } from '../deliveries/delivery';
import type { DeliveryRepository } from '../deliveries/delivery.repository';
import type { StopRepository } from '../deliveries/stop.repository';
import type { RedeliveryRepository, RedeliverySelection } from '../deliveries/redelivery.repository';
import { skippedIsNotMade } from './retry.service';
import type { RetryService } from './retry.service';

interface Dependencies {
  readonly deliveries: DeliveryRepository;
  readonly redeliveries: RedeliveryRepository;
  readonly retries: RetryService;
  readonly stops: StopRepository;
  readonly sealer: Sealer;
  /** Stores a due delivery for attempt when a slot is free; false when it was stored before. */
  readonly enqueue: (delivery: Delivery) => Promise<boolean>;
  readonly logger: Logger;
  readonly now: Clock;
}

export type Redelivered =
  { readonly id: string; readonly delivery: Delivery } | { readonly id: string; readonly refused: string };

export interface RedeliveryService {
  /**
   * Makes a new delivery of the same occurrence to the same address. If it already exists (concurrent request or
   * retry), returns it. 404 for a delivery of another account, 409 when it cannot be redelivered.
   */
  redeliver(accountId: string, id: string): Promise<Delivery>;
  /** As `redeliver` for each of `ids`. Results are in the order of `ids`; a repeated id gets the same result. */
  redeliverEach(accountId: string, ids: readonly string[]): Promise<readonly Redelivered[]>;
  /**
   * Redelivers up to 1,000 selected deliveries: a finished one gets a new delivery, a pending one has its next attempt now.
   */
  redeliverSelected(accountId: string, selection: RedeliverySelection): Promise<readonly Redelivered[]>;
  count(accountId: string, selection: RedeliverySelection): Promise<number>;
}

const mostSelected = 1_000;
const addressIsGone = 'The webhook was deleted, or its address was changed, after this delivery';
const stillUnderWay = 'The delivery was redelivered already, and that is not finished yet';

export function createRedeliveryService(dependencies: Dependencies): RedeliveryService {
  const { deliveries, redeliveries, retries, stops, sealer, enqueue, logger, now } = dependencies;
  const conflict = (message: string) => new AppError('conflict', message);

  async function make(origin: Delivery): Promise<Delivery> {
    const refusal = refusalOf(origin);
    if (refusal !== undefined) throw conflict(refusal);
    if (await stops.addressIsGone(origin)) throw conflict(addressIsGone);
    const former = await redeliveries.latestOf(origin);
    if (former.isUnderWay) throw conflict(stillUnderWay);
    // Idempotent: a concurrent request, or a retry after a crash, derives the same id.
    const id = derivedUuid('redelivery', origin.id, former.id ?? '');
    const delivery = again(origin, id, sealer.seal(sealer.open(origin.sealed, origin.id), id), now());
    const isNew = await enqueue(delivery);
    await redeliveries.note(origin, former.id, id);
    const { accountId, webhookId } = origin;
    if (!isNew) return finished(accountId, id);
    logger.info('delivery redelivered', { deliveryId: origin.id, redelivery: id, accountId, webhookId });
    return delivery;
  }

  /** The redelivery that is stored already; 409 while it is pending. */
  async function finished(accountId: string, id: string): Promise<Delivery> {
    const known = await deliveries.find(accountId, id);
    if (!known) throw notFound();
    if (known.state === 'pending') throw conflict(stillUnderWay);
    return known;
  }

  async function redeliver(accountId: string, id: string): Promise<Delivery> {
    const origin = await deliveries.find(accountId, id);
    if (!origin) throw notFound();
    return make(origin);
  }

  async function attempt(id: string, work: Promise<Delivery>): Promise<Redelivered> {
    try {
      return { id, delivery: await work };
    } catch (error) {
      if (!(error instanceof AppError) || isOutage(error)) throw error;
      return { id, refused: error.message };
    }
  }

  return {
    redeliver,
    async redeliverEach(accountId, ids) {
      const distinct = await Promise.all([...new Set(ids)].map((id) => attempt(id, redeliver(accountId, id))));
      const byId = new Map(distinct.map((result) => [result.id, result]));
      return noted(ids.flatMap((id) => byId.get(id) ?? []));
    },
    async redeliverSelected(accountId, selection) {
      const { finished, waiting } = partsOf(selection);
      const ended = finished ? await redeliveries.select(accountId, selection, mostSelected) : [];
      const left = mostSelected - ended.length;
      const waits = waiting && left > 0 ? await redeliveries.selectWaiting(accountId, selection, now(), left) : [];
      const results = await Promise.all([
        ...ended.map((origin) => attempt(origin.id, make(origin))),
        ...waits.map(({ id }) => attempt(id, retries.retry(accountId, id))),
      ]);
      return noted(results);
    },
    async count(accountId, selection) {
      const { finished, waiting } = partsOf(selection);
      const ended = finished ? await redeliveries.count(accountId, selection) : 0;
      return ended + (waiting ? await redeliveries.countWaiting(accountId, selection, now()) : 0);
    },
  };
}

/** A call that made none of several is one that was refused: with its `Idempotency-Key` it is made again. */
function noted(results: readonly Redelivered[]): readonly Redelivered[] {
  if (results.length > 0 && results.every((result) => 'refused' in result)) presentCall()?.attempt?.refuse();
  return results;
}

const partsOf = ({ states }: RedeliverySelection) => ({
  finished: states.some((state) => state !== 'pending'),
  waiting: states.includes('pending'),
});

/** Why the delivery cannot be redelivered, independent of the webhook's present state; undefined when it can. */
function refusalOf({ state, event }: Delivery): string | undefined {
  if (state === 'pending') return 'The delivery is not finished yet';
  if (state === 'skipped') return skippedIsNotMade;
  return event === 'webhook.verify' ? 'A verification is sent again by updating the webhook' : undefined;
}

/** A new delivery of the origin's occurrence to the same address, due at once. It copies nothing else of the origin. */
function again(origin: Delivery, deliveryId: string, sealed: string, now: Date): Delivery {
  const { accountId, webhookId, eventId, event, objectId, test, host } = origin;
  const request = { deliveryId, accountId, webhookId, eventId, event, objectId, test, sealed, at: now.toISOString() };
  return { ...toDelivery(request, host, now, undefined), origin: origin.id };
}
