import { accountSaved } from '@itsm/shared/contracts/directory';
import { recordChanged } from '@itsm/shared/contracts/records';
import { accountUrl, startEngines, startService } from '../testing/start';
import type { Engines, Requested, Service } from '../testing/start';
import { activeWebhook, input, recordEvent, register } from '../testing/webhook-steps';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
});
beforeEach(async () => {
  service = await startService(engines);
});
afterEach(() => service.close());
afterAll(() => engines.close());

const eventsIn = (deliveries: readonly Requested[]): Requested[] =>
  deliveries.filter(({ event }) => event !== 'webhook.verify');

test('an event becomes one delivery with the specified body, members in their order', async () => {
  const { id, nodeID } = await activeWebhook(service, 'wdc', { name: 'Mirror' });
  const event = await recordEvent(service, 'wdc');
  const [delivery, ...others] = eventsIn(service.deliveries);
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({
    eventId: event.eventId,
    objectId: 70451,
    accountId: 'wdc',
    webhookId: id,
    event: 'request.create',
    test: false,
    uri: input.uri,
    link: `<${accountUrl('wdc')}/requests/70451>; rel="canonical", <https://api.example/v1/requests/70451>; rel="resource"`,
  });
  const specified = {
    webhook_id: id,
    webhook_nodeID: nodeID,
    account_id: 'wdc',
    account: accountUrl('wdc'),
    name: 'Mirror',
    event: 'request.create',
    object_id: 70_451,
    object_nodeID: 'cmVxdWVzdA',
    person_id: 6,
    person_nodeID: 'cGVyc29u',
    person_name: 'Grace Hopper',
    payload: { audit_line_id: 9, audit_line_nodeID: 'YXVkaXQ', status: 'assigned' },
  };
  const sent = JSON.parse(delivery?.text ?? '{}') as typeof specified;
  expect(sent).toEqual(specified);
  expect(Object.keys(sent)).toEqual(Object.keys(specified));
  expect(Object.keys(sent.payload)).toEqual(Object.keys(specified.payload));
});

test('the body has the custom URL of the account when there is one, in its newest version', async () => {
  await activeWebhook(service, 'wdc');
  const account = { id: 'wdc', name: 'Widget Data Center', directoryAccountId: null, disabled: false };
  for (const [version, customUrl] of [
    [2, 'https://service.wdc.example'],
    [1, 'https://old.wdc.example'],
    [2, 'https://service.wdc.example'],
  ] as const)
    await service.broker.publish(accountSaved, { ...account, customUrl, version }, `wdc:${version}`);
  await recordEvent(service, 'wdc');
  const sent = JSON.parse(eventsIn(service.deliveries)[0]?.text ?? '{}') as Record<string, unknown>;
  expect(sent).toMatchObject({ account: accountUrl('wdc'), custom_url: 'https://service.wdc.example' });
  expect(Object.keys(sent).slice(3, 6)).toEqual(['account', 'custom_url', 'name']);
});

test('deliveries of a disabled account are skipped, as those of a disabled webhook', async () => {
  const { id } = await activeWebhook(service, 'wdc', { event: 'sla.update' });
  const neighbour = await activeWebhook(service, 'acme', { event: 'sla.update' });
  const account = { id: 'wdc', name: 'Widget', customUrl: null, directoryAccountId: null };
  const event = { event: 'sla.update' as const, visibleTo: ['wdc', 'acme'] };
  await service.broker.publish(accountSaved, { ...account, disabled: true, version: 1 }, 'wdc:1');
  await recordEvent(service, 'acme', event);
  const outcomes = () =>
    eventsIn(service.deliveries).map(({ webhookId, skipped }) => `${webhookId} ${skipped ?? 'is called'}`);
  expect(outcomes().sort()).toEqual([`${id} disabled`, `${neighbour.id} is called`]);
  await service.broker.publish(accountSaved, { ...account, disabled: false, version: 2 }, 'wdc:2');
  await recordEvent(service, 'acme', event);
  expect(outcomes().slice(2).sort()).toEqual([`${id} is called`, `${neighbour.id} is called`]);
  const wanted = await service.as('wdc').post(`/v1/webhooks/${id}/redeliver_skipped`, { preview: true }).expect(200);
  expect(wanted.body).toMatchObject({ count: 1 });
});

test('a system event has empty person members', async () => {
  await activeWebhook(service, 'wdc');
  await recordEvent(service, 'wdc', { person: null });
  expect(eventsIn(service.deliveries)[0]?.body).toMatchObject({
    person_id: null,
    person_nodeID: null,
    person_name: null,
  });
});

test('a note is linked as related', async () => {
  await activeWebhook(service, 'wdc', { event: 'request.note-added' });
  const resource = '/v1/requests/70451';
  const links = { canonical: '/requests/70451', resource, related: `${resource}/notes/3` };
  await recordEvent(service, 'wdc', { event: 'request.note-added', links });
  expect(eventsIn(service.deliveries)[0]?.link).toMatch(
    /, <https:\/\/api\.example\/v1\/requests\/70451\/notes\/3>; rel="related"$/,
  );
});

test('the same event handled twice asks for the same deliveries under the same ids', async () => {
  await activeWebhook(service, 'wdc');
  await activeWebhook(service, 'wdc');
  const event = await recordEvent(service, 'wdc');
  await service.broker.publish(recordChanged, event, event.eventId);
  const ids = service.messages
    .filter((message) => (message as Requested).eventId === event.eventId)
    .map((message) => (message as Requested).deliveryId);
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(2);
});

test('a hundred occurrences are a hundred deliveries', async () => {
  const { id } = await activeWebhook(service, 'wdc', { event: 'task.create' });
  await Promise.all(Array.from({ length: 100 }, () => recordEvent(service, 'wdc', { event: 'task.create' })));
  expect(await service.deliveriesOf(id, 101)).toHaveLength(101);
});

test('only active webhooks for just this event are called, in every account that sees the record', async () => {
  const ours = await activeWebhook(service, 'wdc', { event: 'sla.update' });
  const customers = await activeWebhook(service, 'acme', { event: 'sla.update' });
  await activeWebhook(service, 'wdc', { event: 'sla.create' });
  await activeWebhook(service, 'stranger', { event: 'sla.update' });
  const unverified = await register(service, 'wdc', { event: 'sla.update', uri: 'https://unverified.example/' });
  const disabled = await activeWebhook(service, 'wdc', { event: 'sla.update' });
  await service.as('wdc').patch(`/v1/webhooks/${disabled.id}`, { disabled: true }).expect(200);
  const deleted = await activeWebhook(service, 'wdc', { event: 'sla.update' });
  await service.as('wdc').delete(`/v1/webhooks/${deleted.id}`).expect(204);

  await recordEvent(service, 'wdc', { event: 'sla.update', visibleTo: ['wdc', 'acme'] });
  const called = eventsIn(service.deliveries).filter(({ skipped }) => skipped === undefined);
  expect(called.map(({ webhookId }) => webhookId).sort()).toEqual([ours.id, customers.id].sort());
  expect(called.find(({ webhookId }) => webhookId === customers.id)?.body).toMatchObject({
    account_id: 'acme',
    account: accountUrl('acme'),
  });
  const kept = eventsIn(service.deliveries).filter(({ skipped }) => skipped !== undefined);
  expect(kept.map(({ webhookId, skipped }) => [webhookId, skipped]).sort()).toEqual([
    [unverified.id, 'unverified'],
    [disabled.id, 'disabled'],
  ]);
});

test('an event whose webhook cannot be read fails alone, not the others of its batch', async () => {
  const { id } = await activeWebhook(service, 'wdc', { event: 'sla.update' });
  const broken = await activeWebhook(service, 'acme', { event: 'sla.update' });
  const webhooks = service.connection.collection<{ _id: number }>('webhooks');
  await webhooks.updateOne({ _id: broken.id }, { $set: { sealedUri: 'unknown.AAAA' } });
  const events = await Promise.all(
    Array.from({ length: 10 }, (_none, at) =>
      recordEvent(service, at % 2 ? 'acme' : 'wdc', { event: 'sla.update', visibleTo: [at % 2 ? 'acme' : 'wdc'] }),
    ),
  );
  const called = service.deliveries.filter(({ eventId }) => events.some((event) => event.eventId === eventId));
  expect(called.map(({ webhookId }) => webhookId)).toEqual(Array.from({ length: 5 }, () => id));
  expect(service.lines.filter((line) => line.includes('A message was dead-lettered'))).toHaveLength(5);
});
