import { sealedTarget } from '@itsm/shared/contracts/deliveries';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { day, deliveryKey, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, bodyOf, callbackIn, open, recordEvent, register } from '../testing/webhook-steps';

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

const pathOf = (id: number) => `/v1/webhooks/${id}/redeliver_skipped`;
const preview = async (id: number, more: object = {}) =>
  bodyOf(
    await service
      .as('wdc')
      .post(pathOf(id), { preview: true, ...more })
      .expect(200),
  );

test('events of an unverified and of a disabled webhook are requested as skipped, with their bodies', async () => {
  const unverified = await register(service, 'wdc', { uri: 'https://new.example/' });
  const disabled = await activeWebhook(service, 'wdc', { uri: 'https://old.example/' });
  await service.as('wdc').patch(`/v1/webhooks/${disabled.id}`, { disabled: true }).expect(200);
  const { eventId } = await recordEvent(service, 'wdc');
  const requested = service.deliveries
    .filter((delivery) => delivery.eventId === eventId)
    .sort((one, other) => one.webhookId - other.webhookId);
  expect(requested).toMatchObject([
    { webhookId: unverified.id, skipped: 'unverified', uri: 'https://new.example/', body: { object_id: 70_451 } },
    { webhookId: disabled.id, skipped: 'disabled', uri: 'https://old.example/', body: { object_id: 70_451 } },
  ]);
  const verify = service.deliveries.find(({ webhookId }) => webhookId === unverified.id);
  expect(verify).not.toHaveProperty('skipped');
});

test('a preview counts what was skipped and changes nothing; the call redelivers it to the present address', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: true }).expect(200);
  const first = await recordEvent(service, 'wdc');
  service.pass(day);
  await recordEvent(service, 'wdc');
  await recordEvent(service, 'wdc', { visibleTo: ['acme'] });
  const seen = await preview(id);
  expect(seen).toMatchObject({
    preview: true,
    count: 2,
    first_skipped_at: '2026-03-18T19:04:06Z',
    last_skipped_at: '2026-03-19T19:04:06Z',
    examples: [{ event_id: first.eventId, object_id: 70_451, reason: 'disabled' }, { reason: 'disabled' }],
  });
  expect(await preview(id)).toEqual(seen);
  expect(service.redeliveries).toEqual([]);
  await service.as('wdc').post(pathOf(id), {}).expect(409);

  const uri = 'https://user:s3cr3t@new.example/';
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: false, uri }).expect(200);
  await service.as('wdc').post(pathOf(id), {}).expect(409);
  const verify = (await service.deliveriesOf(id, 4)).at(-1);
  await open(service, callbackIn(verify)).expect(200);
  const answer = await service.as('wdc').post(pathOf(id), {}).expect(202);
  expect(answer.body).toMatchObject({ preview: false, count: 2 });
  const [message] = await waitUntil('the message', () =>
    service.redeliveries.length > 0 ? service.redeliveries : undefined,
  );
  expect(message).toMatchObject({ accountId: 'wdc', webhookId: id, from: '1970-01-01T00:00:00.000Z' });
  expect(JSON.stringify(message)).not.toContain('s3cr3t');
  const target = createSealer([deliveryKey]).open(message?.sealed ?? '', message?.redeliveryId ?? '');
  expect(sealedTarget.parse(JSON.parse(target))).toMatchObject({ uri });
  expect(await preview(id)).toMatchObject({ count: 0, first_skipped_at: null, examples: [] });
});

test('only what was skipped in the given period is counted and redelivered', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: true }).expect(200);
  for (let event = 0; event < 3; event += 1) {
    await recordEvent(service, 'wdc');
    service.pass(day);
  }
  const period = { from: '2026-03-19T00:00:00Z', until: '2026-03-20T00:00:00+01:00' };
  expect(await preview(id, period)).toMatchObject({ count: 1 });
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: false }).expect(200);
  await service.as('wdc').post(pathOf(id), period).expect(202);
  expect(await preview(id)).toMatchObject({ count: 2 });
});

test('in the schema each end of the period counts by itself', async () => {
  const { id, nodeID } = await activeWebhook(service, 'wdc');
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: true }).expect(200);
  for (let event = 0; event < 3; event += 1) {
    await recordEvent(service, 'wdc');
    service.pass(day);
  }
  const count = async (period: string) => {
    const query = `query ($id: ID!) { _entities(representations: [{ __typename: "Webhook", id: $id }]) {
      ... on Webhook { skipped${period} { count } } } }`;
    const answer = await service.as('wdc').graphql(query, { id: nodeID }).expect(200);
    const { data } = answer.body as { data?: { _entities: { skipped: { count: number } }[] } };
    return data?._entities[0]?.skipped.count;
  };
  const [from, until] = ['from: "2026-03-19T00:00:00Z"', 'until: "2026-03-20T00:00:00+01:00"'];
  const counts = await Promise.all(['', `(${from})`, `(${until})`, `(${from}, ${until})`].map(count));
  expect(counts).toEqual([3, 2, 2, 1]);
});

test('the same event handled twice is skipped once', async () => {
  const { id } = await register(service, 'wdc');
  const event = await recordEvent(service, 'wdc');
  await recordEvent(service, 'wdc', { eventId: event.eventId });
  expect(await preview(id)).toMatchObject({ count: 1 });
});

test('bad requests get their documented answer', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const post = (body: object, claims: object = {}) => service.as('wdc', claims).post(pathOf(id), body);
  await post({ preview: 'yes' }).expect(422);
  await post({ from: 'yesterday' }).expect(422, {
    message: 'Validation Failed',
    errors: [['from', 'From must be a time such as 2026-03-18T19:04:06Z']],
  });
  await post({ all: true }).expect(422);
  await post({}, { accounts: { wdc: ['specialist'] } }).expect(403);
  await post({}, { scopes: [{ effect: 'allow', actions: ['webhook:Read'] }] }).expect(403);
  await service.as('acme').post(pathOf(id), {}).expect(404);
  await service.as('acme').post(pathOf(id), { preview: true }).expect(404);
  await service.as('wdc').get(pathOf(id)).expect(405).expect('Allow', 'POST');
  await post({}).expect(202);
  expect(service.redeliveries).toEqual([]);
});
