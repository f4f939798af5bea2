import { randomUUID } from 'node:crypto';
import { accountsHeldBack, eventsHeldBack } from '@itsm/shared/observing/metrics/metrics';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Counter, Gauge } from 'prom-client';
import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, bodyOf, recordEvent } from '../testing/webhook-steps';
import type { Body } from '../testing/webhook-steps';
import { createWaitingEventRepository } from './waiting-event.repository';

/** Four deliveries may go at once, then two a second. The clock of the service stands still unless it is moved. */
const settings = { DELIVERIES_PER_SECOND: '2' };
const second = 1_000;

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
});
beforeEach(async () => {
  service = await startService(engines, settings);
});
afterEach(() => service.close());
afterAll(() => engines.close());

const stored = (of = service) => of.connection.collection<{ _id: string }>('waiting_events');
const waiting = (of = service): Promise<number> => stored(of).countDocuments();

/** The events of the deliveries that were requested for an account, in the order of their requests. */
const eventsOf = (account: string, of = service): string[] =>
  of.deliveries
    .filter(({ accountId, event }) => accountId === account && event !== 'webhook.verify')
    .map(({ eventId }) => eventId);

async function sendEvents(account: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await recordEvent(service, account)).eventId);
  return ids;
}

const valueOf = async (metric: Counter | Gauge): Promise<number> => (await metric.get()).values[0]?.value ?? 0;

const twice = (ids: readonly string[]): string[] => ids.flatMap((id) => [id, id]);

test('events beyond the pace of their account wait in the store and follow in their order; those of others leave at once', async () => {
  for (const account of ['greedy', 'greedy', 'quiet']) await activeWebhook(service, account);
  const before = await valueOf(eventsHeldBack);
  const ids = await sendEvents('greedy', 5);
  expect(eventsOf('greedy')).toEqual(twice(ids.slice(0, 2)));
  expect(await waiting()).toBe(3);
  expect(await valueOf(eventsHeldBack)).toBe(before + 3);
  await waitUntil('the account to be counted', async () => (await valueOf(accountsHeldBack)) === 1);

  const quiet = await sendEvents('quiet', 1);
  expect(eventsOf('quiet')).toEqual(quiet);
  expect(await waiting()).toBe(3);

  for (const done of [3, 4, 5]) {
    service.pass(second);
    await waitUntil(`${done} events`, () => eventsOf('greedy').length === 2 * done);
    expect(eventsOf('greedy')).toEqual(twice(ids.slice(0, done)));
    await waitUntil('the event to go', async () => (await waiting()) === 5 - done);
  }
});

test('an event goes behind those that wait, though the account might make more deliveries by then', async () => {
  await activeWebhook(service, 'greedy');
  const early = await sendEvents('greedy', 6);
  expect(await waiting()).toBe(2);
  service.pass(3_600 * second);
  const late = await sendEvents('greedy', 1);
  await waitUntil('all of them', () => eventsOf('greedy').length === 7);
  expect(eventsOf('greedy').slice(0, 4)).toEqual(early.slice(0, 4));
  expect(eventsOf('greedy').indexOf(late[0]!)).toBe(6);
});

test('an event with more deliveries than are left goes whole, and its account waits until they are made up for', async () => {
  for (let n = 0; n < 8; n += 1) await activeWebhook(service, 'greedy');
  const [first, next] = await sendEvents('greedy', 2);
  expect(eventsOf('greedy')).toEqual(Array.from({ length: 8 }, () => first));
  service.pass(2 * second);
  const neighbour = await activeWebhook(service, 'quiet');
  await service.deliveriesOf(neighbour.id);
  expect(await waiting()).toBe(1);
  service.pass(second);
  await waitUntil('the second event', () => eventsOf('greedy').length === 16);
  expect(eventsOf('greedy').slice(8)).toEqual(Array.from({ length: 8 }, () => next));
});

test('after events with few deliveries, those with many do not go all together', async () => {
  const task = { event: 'task.create' as const };
  await activeWebhook(service, 'greedy');
  for (let n = 0; n < 4; n += 1) await activeWebhook(service, 'greedy', task);
  const [few] = (await sendEvents('greedy', 5)).slice(4);
  const many: string[] = [];
  for (let n = 0; n < 3; n += 1) many.push((await recordEvent(service, 'greedy', task)).eventId);
  service.pass(3_600 * second);
  await waitUntil('the first with many', () => eventsOf('greedy').length >= 9);
  await waitUntil(
    'the others to be free',
    async () => (await stored().countDocuments({ owner: { $exists: false } })) === 2,
  );
  expect(eventsOf('greedy').slice(4)).toEqual([few, ...Array.from({ length: 4 }, () => many[0])]);
  service.pass(second);
  await waitUntil('the next', () => eventsOf('greedy').length === 13);
  expect(eventsOf('greedy').slice(9)).toEqual(Array.from({ length: 4 }, () => many[1]));
});

test('of an event that two accounts see, only the deliveries of the one beyond its pace wait, and both are explained', async () => {
  const webhook = await activeWebhook(service, 'greedy');
  const neighbour = await activeWebhook(service, 'quiet');
  await sendEvents('greedy', 5);
  const { eventId } = await recordEvent(service, 'greedy', { visibleTo: ['greedy', 'quiet'] });
  expect(eventsOf('quiet')).toEqual([eventId]);
  expect(eventsOf('greedy')).not.toContain(eventId);
  service.pass(3_600 * second);
  await waitUntil('the other delivery', () => eventsOf('greedy').includes(eventId));
  await waitUntil('nothing to wait', async () => (await waiting()) === 0);
  const explain = async (account: string, { id }: Body): Promise<Body> =>
    bodyOf(await service.as(account).get(`/v1/webhooks/${id}/explain?event_id=${eventId}`).expect(200));
  expect(await explain('quiet', neighbour)).toMatchObject({ verdict: 'waiting', state_then: 'active' });
  expect(await explain('greedy', webhook)).toMatchObject({ verdict: 'waiting', state_then: 'active' });
});

test('what waits when its process stops is requested by the next one', async () => {
  await activeWebhook(service, 'greedy');
  const ids = await sendEvents('greedy', 7);
  expect(await waiting()).toBe(3);
  await service.app.stop();
  const successor = await startService(engines, settings, service.database);
  await waitUntil('the rest', async () => (await waiting()) === 0);
  expect(new Set(eventsOf('greedy', successor))).toEqual(new Set(ids.slice(4)));
  await successor.close();
});

test('events that a process had leased when it was killed are requested once the lease has run out', async () => {
  await activeWebhook(service, 'greedy');
  const event = await recordEvent(service, 'nobody', { visibleTo: [] });
  const change = { ...event, eventId: randomUUID(), visibleTo: ['greedy'] };
  const until = new Date(service.now().getTime() + 60 * second);
  const leased = { _id: `${change.eventId} greedy`, accountId: 'greedy', change, dueAt: until, owner: 'killed' };
  await stored().insertOne(leased);
  service.pass(60 * second);
  await waitUntil('the event', () => eventsOf('greedy').length === 1);
  expect(eventsOf('greedy')).toEqual([change.eventId]);
});

test('a clock that is set back stops no waiting event', async () => {
  await activeWebhook(service, 'greedy');
  const ids = await sendEvents('greedy', 7);
  expect(await waiting()).toBe(3);
  service.pass(-3_600 * second);
  await waitUntil('all of them', () => eventsOf('greedy').length === 7);
  expect(new Set(eventsOf('greedy'))).toEqual(new Set(ids));
});

test('a waiting event that cannot be fanned out is kept and tried again, and those after it go on', async () => {
  const { id } = await activeWebhook(service, 'greedy');
  const task = { event: 'task.create' as const };
  const broken = await activeWebhook(service, 'greedy', task);
  await sendEvents('greedy', 4);
  const { eventId } = await recordEvent(service, 'greedy', task);
  const [after] = await sendEvents('greedy', 1);
  const webhooks = service.connection.collection<{ _id: number; sealedUri: string }>('webhooks');
  const { sealedUri } = (await webhooks.findOne({ _id: broken.id }))!;
  await webhooks.updateOne({ _id: broken.id }, { $set: { sealedUri: 'unknown.AAAA' } });
  service.pass(3_600 * second);
  await service.deliveriesOf(id, 6);
  expect(eventsOf('greedy')).toContain(after);
  await waitUntil('only the broken one to be left', async () => (await waiting()) === 1);

  await webhooks.updateOne({ _id: broken.id }, { $set: { sealedUri } });
  service.pass(60 * second);
  await waitUntil('the event', () => eventsOf('greedy').includes(eventId));
});

test('two processes request each waiting event once', async () => {
  await service.another();
  await activeWebhook(service, 'greedy');
  const ids = await sendEvents('greedy', 20);
  for (let left = await waiting(); left > 0; left = await waiting()) {
    // Less than a lease in all.
    service.pass(second);
    await waitUntil('some of them', async () => (await waiting()) < left);
  }
  expect(new Set(eventsOf('greedy'))).toEqual(new Set(ids));
  const sent = service.messages.filter((message) => ids.includes((message as { eventId: string }).eventId));
  expect(sent).toHaveLength(ids.length);
});

test('of several claims at the same time, each waiting event belongs to one, and to another once its process is gone', async () => {
  await service.app.stop();
  const repository = createWaitingEventRepository(service.connection);
  const event = await recordEvent(service, 'nobody', { visibleTo: [] });
  const ids = Array.from({ length: 10 }, () => randomUUID());
  for (const eventId of ids) await repository.add({ ...event, eventId }, 'greedy', service.now());
  const until = new Date(service.now().getTime() + 60 * second);
  const claim = (owner: string, gone: string[] = []) =>
    repository.claim('greedy', 10, service.now(), gone, { owner, until });
  const claims = await Promise.all(['one', 'two', 'three', 'four', 'five'].map((owner) => claim(owner)));
  const claimed = claims.flatMap((events = []) => events.map(({ change }) => change.eventId));
  expect(claimed.sort()).toEqual(ids.sort());
  expect(await claim('six')).toBeUndefined();
  expect(await claim('six', ['one', 'two', 'three', 'four', 'five'])).toHaveLength(10);
});
