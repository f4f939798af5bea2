import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { attemptFinished } from '@itsm/shared/contracts/deliveries';
import type { AttemptFinished } from '@itsm/shared/contracts/deliveries';
import { personSaved } from '@itsm/shared/contracts/directory';
import type { PersonSaved } from '@itsm/shared/contracts/directory';
import { recordChanged } from '@itsm/shared/contracts/records';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import { baseUrl } from './start';
import type { Requested, Service } from './start';

export type Body = Record<string, unknown> & { id: number; uri: string; state: string };

/** The JSON of an answer, unchecked: tests assert its shape. */
export const bodyOf = ({ body }: { readonly body: unknown }): Body => body as Body;

export const input = { event: 'request.create', uri: 'https://receiver.example/hook' };

export async function register(service: Service, account: string, more: object = {}): Promise<Body> {
  const body = bodyOf(
    await service
      .as(account)
      .post('/v1/webhooks', { ...input, ...more })
      .expect(201),
  );
  return body;
}

export async function show(service: Service, account: string, id: number): Promise<Body> {
  const body = bodyOf(await service.as(account).get(`/v1/webhooks/${id}`).expect(200));
  return body;
}

/** The callback in the webhook.verify message, as the receiver gets it. */
export const callbackIn = (delivery: Requested | undefined): string => String(delivery?.body.payload['callback']);

export const open = (service: Service, callback: string, method: 'get' | 'head' | 'post' | 'put' = 'get') =>
  atPublicAddress(request(service.app.http), baseUrl)[method](callback);

/** Registers a webhook and goes through its verification. */
export async function activeWebhook(service: Service, account: string, more: object = {}): Promise<Body> {
  const webhook = await register(service, account, more);
  if (webhook.state === 'active') return webhook;
  const [delivery] = await service.deliveriesOf(webhook.id);
  await open(service, callbackIn(delivery)).expect(200);
  return show(service, account, webhook.id);
}

export async function recordEvent(
  service: Service,
  account: string,
  more: Partial<RecordChanged> = {},
): Promise<RecordChanged> {
  const event: RecordChanged = {
    eventId: randomUUID(),
    event: 'request.create',
    at: service.now().toISOString(),
    accountId: account,
    visibleTo: [account],
    object: { id: 70_451, nodeID: 'cmVxdWVzdA' },
    person: { id: 6, nodeID: 'cGVyc29u', name: 'Grace Hopper' },
    payload: { audit_line_id: 9, audit_line_nodeID: 'YXVkaXQ', status: 'assigned' },
    links: { canonical: '/requests/70451', resource: '/v1/requests/70451' },
    ...more,
  };
  await service.broker.publish(recordChanged, event, event.eventId);
  return event;
}

/** Publishes the end of an attempt to the service: a failure of the receiver, unless `more` says otherwise. */
export async function attemptEnds(
  service: Service,
  account: string,
  webhookId: number,
  more: Partial<AttemptFinished> = {},
): Promise<AttemptFinished> {
  const attempt: AttemptFinished = {
    deliveryId: randomUUID(),
    attempt: 1,
    accountId: account,
    webhookId,
    test: false,
    at: service.now().toISOString(),
    outcome: 'failed',
    fault: 'receiver',
    status: 500,
    error: 'The receiver answered with status 500',
    final: false,
    ...more,
  };
  await service.broker.publish(attemptFinished, attempt, `${attempt.deliveryId}:${attempt.attempt}`);
  return attempt;
}

const somebody = { name: 'Ada', sourceID: null, disabled: false, version: 1 };

/** Publishes a person to the service: an account administrator of `account`, unless `more` says otherwise. */
export async function publishPerson(service: Service, account: string, more: Partial<PersonSaved> & { id: number }) {
  const administrator: PersonSaved['roles'] = { [account]: ['account_administrator'] };
  const primaryEmail = `person-${more.id}@${account}.example`;
  const person = { ...somebody, accountId: account, primaryEmail, roles: administrator, ...more };
  await service.broker.publish(personSaved, person, randomUUID());
}
