import { attemptsFinished } from '@itsm/shared/contracts/deliveries';
import { deliveryIdOf } from '../deliveries/delivery.message';
import { day, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, attemptEnds, bodyOf, recordEvent, register } from '../testing/webhook-steps';
import type { Body } from '../testing/webhook-steps';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

async function explain(account: string, id: number, eventId: string): Promise<Body> {
  const answer = await service.as(account).get(`/v1/webhooks/${id}/explain?event_id=${eventId}`).expect(200);
  return bodyOf(answer);
}

test('an event that was delivered, one that waits and one that was given up are distinguished', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const { eventId } = await recordEvent(service, 'wdc');
  const deliveryId = deliveryIdOf(eventId, id);
  expect(await explain('wdc', id, eventId)).toEqual({
    event_id: eventId,
    verdict: 'waiting',
    reason: 'No attempt has been made yet. The first attempt follows.',
    visible: true,
    event: 'request.create',
    event_matches: true,
    occurred_at: '2026-03-18T19:04:06Z',
    state_then: 'active',
    state: 'active',
    verified: true,
    delivery_id: deliveryId,
    attempts: 0,
    last_attempt_at: null,
    last_status: null,
    last_error: null,
    next_attempt_at: null,
  });
  const nextAttemptAt = '2026-03-18T19:04:11.000Z';
  await attemptEnds(service, 'wdc', id, { deliveryId, nextAttemptAt });
  expect(await explain('wdc', id, eventId)).toMatchObject({
    verdict: 'waiting',
    reason: 'Attempt 1 failed: The receiver answered with status 500. The next attempt is planned.',
    attempts: 1,
    last_status: 500,
    next_attempt_at: '2026-03-18T19:04:11Z',
  });
  await attemptEnds(service, 'wdc', id, { deliveryId, attempt: 10, final: true, nextAttemptAt: null });
  // An older result that is reported late changes nothing.
  await attemptEnds(service, 'wdc', id, { deliveryId, attempt: 9, nextAttemptAt });
  expect(await explain('wdc', id, eventId)).toMatchObject({ verdict: 'failed', attempts: 10, next_attempt_at: null });
  const success = { outcome: 'delivered', fault: null, status: 200, error: null, final: true } as const;
  await attemptEnds(service, 'wdc', id, { deliveryId, attempt: 11, ...success });
  expect(await explain('wdc', id, eventId)).toMatchObject({ verdict: 'delivered', last_status: 200 });
});

test('of deliveries that are reported together, each is explained by its own latest attempt', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const events = await Promise.all([1, 2, 3].map(() => recordEvent(service, 'wdc')));
  const [first, second, third] = events.map(({ eventId }) => deliveryIdOf(eventId, id)) as [string, string, string];
  await attemptEnds(service, 'wdc', id, { deliveryId: second, nextAttemptAt: '2026-03-18T19:04:11.000Z' });
  await attemptEnds(service, 'wdc', id, { deliveryId: third, attempt: 2, final: true, nextAttemptAt: null });
  const about = { accountId: 'wdc', webhookId: id, test: false, at: service.now().toISOString() };
  const ended = { outcome: 'delivered', fault: null, status: 200, error: null, final: true } as const;
  // The third gets a late report of an earlier attempt.
  const attempts = [
    { deliveryId: first, attempt: 1, ...about, ...ended },
    { deliveryId: second, attempt: 2, ...about, ...ended },
    { deliveryId: third, attempt: 1, ...about, ...ended },
  ];
  await service.broker.publish(attemptsFinished, { attempts }, 'batch');
  const explained = await Promise.all(events.map(({ eventId }) => explain('wdc', id, eventId)));
  expect(explained).toMatchObject([
    { verdict: 'delivered', attempts: 1, last_status: 200, reason: 'Delivered at attempt 1.' },
    { verdict: 'delivered', attempts: 2 },
    { verdict: 'failed', attempts: 2 },
  ]);
});

test('the explanation of a skipped event says why, and whether its redelivery was requested', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: true }).expect(200);
  const { eventId } = await recordEvent(service, 'wdc');
  const unverified = await register(service, 'wdc', { uri: 'https://new.example/', event: 'task.create' });
  const task = await recordEvent(service, 'wdc', { event: 'task.create' });
  expect(await explain('wdc', id, eventId)).toMatchObject({ verdict: 'skipped', state_then: 'disabled' });
  expect(await explain('wdc', unverified.id, task.eventId)).toMatchObject({
    verdict: 'skipped',
    state_then: 'unverified',
    state: 'unverified',
    verified: false,
    reason:
      'The webhook was not called because its address was not verified when the event happened. The delivery is kept for 30 days and can be made after all.',
  });
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: false }).expect(200);
  service.pass(1_000);
  await service.as('wdc').post(`/v1/webhooks/${id}/redeliver_skipped`, {}).expect(202);
  expect(await explain('wdc', id, eventId)).toMatchObject({
    verdict: 'waiting',
    reason: 'No attempt has been made yet. The first attempt follows. It had been skipped and was asked for again.',
  });
});

test.each([
  [{ disabled: true }, 'it was disabled'],
  [{ uri: 'https://moved.example/' }, 'its address was changed'],
])('what waited when the webhook was changed by %j was given up', async (change, why) => {
  const { id } = await activeWebhook(service, 'wdc');
  const { eventId } = await recordEvent(service, 'wdc');
  service.pass(1_000);
  await service.as('wdc').patch(`/v1/webhooks/${id}`, change).expect(200);
  expect(await explain('wdc', id, eventId)).toMatchObject({
    verdict: 'given_up',
    reason: `No attempt has been made yet. The delivery was given up because the webhook was changed: ${why}.`,
  });
});

test('what had failed for good before the webhook was disabled was not given up because of that', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const { eventId } = await recordEvent(service, 'wdc');
  const deliveryId = deliveryIdOf(eventId, id);
  await attemptEnds(service, 'wdc', id, { deliveryId, attempt: 10, final: true, nextAttemptAt: null });
  service.pass(1_000);
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: true }).expect(200);
  expect(await explain('wdc', id, eventId)).toMatchObject({ verdict: 'failed', attempts: 10 });
});

test('events for others are distinguished from events before the registration', async () => {
  const earlier = await recordEvent(service, 'wdc');
  service.pass(1_000);
  const { id } = await activeWebhook(service, 'wdc');
  expect(await explain('wdc', id, earlier.eventId)).toMatchObject({ verdict: 'not_registered', visible: true });
  const task = await recordEvent(service, 'wdc', { event: 'task.create' });
  const other = { verdict: 'other_event', event: 'task.create', event_matches: false, delivery_id: null };
  expect(await explain('wdc', id, task.eventId)).toMatchObject({
    ...other,
    reason: 'The event is task.create; the webhook is for request.create.',
  });
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { event: 'task.create' }).expect(200);
  expect(await explain('wdc', id, task.eventId)).toMatchObject({
    verdict: 'other_event',
    event_matches: true,
    reason: 'The event is task.create; the webhook was for another event when this one happened.',
  });
});

test('an event that the account does not see is like an unknown one', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const foreign = await recordEvent(service, 'acme');
  const unknown = { verdict: 'unknown_event', visible: false, event: null, event_matches: null, occurred_at: null };
  expect(await explain('wdc', id, foreign.eventId)).toMatchObject(unknown);
  expect(await explain('wdc', id, 'nothing')).toMatchObject(unknown);
});

test('the events that the account sees can be listed, also by record, with the state of the webhook then', async () => {
  const { id } = await activeWebhook(service, 'list');
  const object = { id: 7, nodeID: 'x' };
  const one = await recordEvent(service, 'acme', { visibleTo: ['acme', 'list'], object });
  await recordEvent(service, 'list', { event: 'sla.update' });
  await recordEvent(service, 'acme', { object });
  const events = async (query: string) => {
    const { body } = await service.as('list').get(`/v1/webhooks/${id}/events${query}`).expect(200);
    return body as object[];
  };
  expect(await events('')).toHaveLength(2);
  expect(await events('?object_id=7')).toMatchObject([
    { id: one.eventId, event: 'request.create', object_id: 7, state_then: 'active' },
  ]);
  expect(await events('?event=sla.update')).toMatchObject([{ state_then: null }]);
  expect(await events('?sort=-matched_at&fields=event')).toHaveLength(2);
});

test('bad requests get their documented answer', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const path = `/v1/webhooks/${id}/explain`;
  const wdc = service.as('wdc');
  await wdc.get(path).expect(400, { message: 'event_id is required' });
  await wdc.get(`${path}?event_id=`).expect(400);
  await wdc.get(`${path}?event_id=a&event_id=b`).expect(400);
  await wdc.get(`${path}?event_id[$ne]=b`).expect(400);
  await wdc.get(`${path}?event_id=${'a'.repeat(201)}`).expect(400);
  await wdc.get(`${path}?event_id=a&x=1`).expect(400);
  await wdc.post(path).expect(405);
  await service.as('acme').get(`${path}?event_id=a`).expect(404);
  await service.as('acme').get(`/v1/webhooks/${id}/events`).expect(404);
  await service
    .as('wdc', { accounts: { wdc: ['specialist'] } })
    .get(`${path}?event_id=a`)
    .expect(403);
  service.pass(day);
});
