import { randomUUID } from 'node:crypto';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import request from 'supertest';
import { answer, resultOf, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const path = '/v1/webhook_deliveries';
const both: CallerClaims['accounts'] = { wdc: ['account_administrator'], acme: ['account_administrator'] };
const reader = { scopes: [{ effect: 'allow' as const, actions: ['webhook-delivery:Read'] }] };

function post(service: Service, url: string, account = 'wdc', claims: Partial<CallerClaims> = {}) {
  return request(service.app.http)
    .post(url)
    .set('Authorization', `Bearer ${platform.keys.token({ accounts: both, ...claims })}`)
    .set('X-Service-Account', account);
}

const nodeId = (id: string) => toNodeId('service.example', 'WebhookDelivery', id);

/** The GraphQL answer. */
interface Answer {
  readonly data?: { readonly webhookDeliveryRetry: object | null };
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function retry(service: Service, id: string, account = 'wdc', claims: Partial<CallerClaims> = {}) {
  const query = `mutation ($input: WebhookDeliveryRetryInput!) { webhookDeliveryRetry(input: $input) {
    webhookDelivery { deliveryId state attempts { attempt status } } errors { message path } clientMutationId } }`;
  const variables = { input: { id, clientMutationId: 'c' } };
  return (await post(service, '/graphql', account, claims).send({ query, variables })).body as Answer;
}

const refused = (message: string) => ({
  data: { webhookDeliveryRetry: { webhookDelivery: null, errors: [{ message, path: ['id'] }], clientMutationId: 'c' } },
});

/** Makes a delivery whose first attempt ended with a 500 and whose retry is due in 5 s. From then on the receiver answers 200. */
async function waiting() {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 500 : 200)(res));
  const service = await platform.start();
  const { deliveryId: id } = await service.request(receiver.uri);
  await resultOf(service, 1);
  await waitUntil('the end of the attempt', async () => !(await service.stored(id)).leased);
  return { service, receiver, id };
}

test('the next attempt is made at once, keeps its number, and may be the last', async () => {
  const { service, receiver, id } = await waiting();
  expect(await retry(service, nodeId(id))).toMatchObject({
    data: { webhookDeliveryRetry: { webhookDelivery: { deliveryId: id }, errors: [], clientMutationId: 'c' } },
  });
  expect(await service.settled(id)).toMatchObject({
    state: 'delivered',
    attempts: [
      { number: 1, status: 500 },
      { number: 2, status: 200 },
    ],
  });
  expect(receiver.calls.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
  expect(await retry(service, nodeId(id))).toEqual(refused('The delivery is finished'));
  await post(service, `${path}/${id}/retry`).expect(409, { message: 'The delivery is finished' });
  expect(receiver.calls).toHaveLength(2);
});

test('REST answers with the delivery, by UUID and by node id', async () => {
  const { service, receiver, id } = await waiting();
  const { body } = await post(service, `${path}/${nodeId(id)}/retry?fields=origin`).expect(200);
  expect(body).toEqual({ id, origin: null });
  await service.settled(id);
  expect(receiver.calls).toHaveLength(2);
});

test('a retry that fails waits as long as the schedule says', async () => {
  const receiver = await platform.receiver(answer(500));
  const service = await platform.start();
  const { deliveryId: id } = await service.request(receiver.uri);
  await waitUntil('the first result', async () => !(await service.stored(id)).leased);
  await post(service, `${path}/${id}/retry`).expect(200);
  await resultOf(service, 2);
  const stored = await waitUntil('the second result', async () => {
    const found = await service.stored(id);
    return found.attempts.length === 2 && !found.leased ? found : undefined;
  });
  expect(Number(stored.dueAt) - service.now().getTime()).toBe(5 * 60_000);
});

test('an attempt that another process is making is left alone', async () => {
  const receiver = await platform.receiver((res, call) => {
    if (call === 1) answer(500)(res);
  });
  const service = await platform.start();
  const { deliveryId: id } = await service.request(receiver.uri);
  await waitUntil('the first result', async () => !(await service.stored(id)).leased);
  await post(service, `${path}/${id}/retry`).expect(200);
  await waitUntil('the second call', () => receiver.calls.length === 2);
  expect(await retry(service, nodeId(id))).toEqual(refused('An attempt is under way'));
  await post(service, `${path}/${id}/retry`).expect(409, { message: 'An attempt is under way' });
  expect(receiver.calls).toHaveLength(2);
});

test('asked twice at once, one attempt is made', async () => {
  const { service, receiver, id } = await waiting();
  const answers = await Promise.all([post(service, `${path}/${id}/retry`), post(service, `${path}/${id}/retry`)]);
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  await service.settled(id);
  expect(receiver.calls).toHaveLength(2);
});

test('any process can make the attempt', async () => {
  const { service, receiver, id } = await waiting();
  await service.crash();
  const other = await service.another();
  await post(other, `${path}/${id}/retry`).expect(200);
  await other.settled(id);
  expect(receiver.calls).toHaveLength(2);
});

test('what was skipped is not retried', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start();
  const { deliveryId: id } = await service.request(receiver.uri, { skipped: 'disabled' });
  await waitUntil('the delivery', () => service.stored(id).catch(() => undefined));
  const message = 'A skipped delivery is made by redelivering those of its webhook';
  expect(await retry(service, nodeId(id))).toEqual(refused(message));
  await post(service, `${path}/${id}/retry`).expect(409, { message });
});

test('a delivery that was stopped meanwhile is finished', async () => {
  const { service, receiver, id } = await waiting();
  service.pass(1);
  await service.stopWebhook({ accountId: 'wdc', webhookId: 7, reason: 'disabled' });
  expect(await retry(service, nodeId(id))).toEqual(refused('The delivery is finished'));
  expect(receiver.calls).toHaveLength(1);
});

test('another account, a wrong scope, a wrong role and a wrong id are refused', async () => {
  const { service, receiver, id } = await waiting();
  const url = `${path}/${id}/retry`;
  await post(service, url, 'acme').expect(404, { message: 'Not Found' });
  const wrong = [randomUUID(), 'nonsense', 'x'.repeat(600), '$ne', toNodeId('service.example', 'Webhook', 7)];
  for (const text of wrong) {
    await post(service, `${path}/${text}/retry`).expect(404);
    expect((await retry(service, text)).errors).toMatchObject([{ message: 'Not Found' }]);
  }
  expect((await retry(service, nodeId(id), 'acme')).errors).toMatchObject([{ message: 'Not Found' }]);
  const auditor = { accounts: { wdc: ['auditor' as const] } };
  for (const claims of [reader, auditor]) {
    await post(service, url, 'wdc', claims).expect(403);
    expect((await retry(service, nodeId(id), 'wdc', claims)).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
  }
  await request(service.app.http).post(url).expect(401);
  await post(service, url, 'wdc', { exp: 1 }).expect(401);
  await request(service.app.http)
    .get(url)
    .set('Authorization', `Bearer ${platform.keys.token({ accounts: both })}`)
    .set('X-Service-Account', 'wdc')
    .expect(405);
  expect(receiver.calls).toHaveLength(1);
});
