import { maskUri } from '@itsm/shared/outbound/calls/mask-uri';
import { nextAttemptOf } from './deliveries/delivery';
import type { Attempt, Delivery } from './deliveries/delivery';
import { newestFirst } from './deliveries/delivery.repository';
import type { DeliveryRepository } from './deliveries/delivery.repository';
import type { Deliveries } from './deliveries/module';
import type { RequestLog } from './deliveries/request-log';
import type { Redeliveries } from './redeliveries/module';
import type { RedeliveryService } from './redeliveries/redelivery.service';

/** What the operator's commands use; not limited to an account. */
export interface DeliveryOperator {
  readonly deliveries: DeliveryRepository;
  readonly requests: RequestLog;
  readonly redeliveries: RedeliveryService;
}

export const createDeliveryOperator = (
  { store, view }: Pick<Deliveries, 'store' | 'view'>,
  { service }: Pick<Redeliveries, 'service'>,
): DeliveryOperator => ({ deliveries: store, requests: view.requests, redeliveries: service });

interface Selection {
  readonly webhook: string | undefined;
  readonly state: string | undefined;
  readonly limit: number;
}

/** One line for each delivery, newest first. */
export async function listDeliveries(
  { deliveries }: DeliveryOperator,
  accountId: string,
  { webhook, state, limit }: Selection,
): Promise<string> {
  const source = deliveries.collect(accountId, webhook === undefined ? {} : { webhookId: Number(webhook) });
  const filter = state === undefined ? [] : [{ property: 'state', in: [state] }];
  const found = await source.read({ order: newestFirst, limit, skip: 0, filter, fields: [] });
  if (found.length === 0) return 'There are no such deliveries';
  return found.map(lineOf).join('\n');
}

function lineOf({ id, createdAt, webhookId, event, state, host, attempts }: Delivery): string {
  const last = attempts.at(-1);
  const ended = last ? (last.error ?? String(last.status)) : 'not attempted';
  return [createdAt.toISOString(), id, `webhook ${webhookId}`, event, state, host, ended].join('  ');
}

/** Explains one delivery: its state, its attempts and its next attempt. */
export async function explainDelivery(
  { deliveries, requests }: DeliveryOperator,
  accountId: string,
  id: string,
): Promise<string> {
  const delivery = await deliveries.find(accountId, id);
  if (!delivery) throw new Error(`There is no delivery ${id} in account ${accountId}`);
  const { webhookId, event, state, stoppedBecause, createdAt, attempts } = delivery;
  const request = requests.open(delivery);
  return [
    `Delivery ${id} of ${event} for webhook ${webhookId}, requested ${createdAt.toISOString()}`,
    `To ${request ? maskUri(request.uri) : 'an address that no key of the ring opens'}`,
    ...attempts.map(attemptLine),
    stateLine(state, stoppedBecause, nextAttemptOf(delivery)),
  ].join('\n');
}

function attemptLine({ number, at, outcome, status, error, fault, timings }: Attempt): string {
  const blame = fault === null ? '' : `; the fault is ${fault === 'ours' ? 'ours' : "the receiver's"}`;
  const took = timings ? ` after ${timings.total} ms` : '';
  return `  ${number}. ${at.toISOString()} ${outcome}${took}: ${error ?? `status ${status}`}${blame}`;
}

function stateLine(state: Delivery['state'], because: string | null, next: Date | null): string {
  if (state === 'pending') return next ? `Next attempt ${next.toISOString()}` : 'It is being attempted now';
  return because === null ? `It is ${state}` : `It is ${state}: ${because}`;
}

/** Redelivers each of the deliveries through the running service; one line of result for each. */
export async function redeliverDelivery(
  { redeliveries }: DeliveryOperator,
  accountId: string,
  ids: readonly string[],
): Promise<string> {
  const results = await redeliveries.redeliverEach(accountId, ids);
  return results
    .map(
      (result) =>
        `${result.id}  ${'delivery' in result ? `redelivered as ${result.delivery.id}` : `refused: ${result.refused}`}`,
    )
    .join('\n');
}
