import { randomUUID } from 'node:crypto';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { allowedAction } from '@itsm/shared/api/identity/allow';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import request from 'supertest';
import { baseUrl, link, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const path = '/v1/webhook_deliveries';
const both: CallerClaims['accounts'] = { wdc: ['account_administrator'], acme: ['account_administrator'] };

const get = (service: Service, url: string, account = 'wdc', claims: Partial<CallerClaims> = { accounts: both }) =>
  atPublicAddress(request(service.app.http), baseUrl)
    .get(url)
    .set('Authorization', `Bearer ${platform.keys.token(claims)}`)
    .set('X-Service-Account', account);

async function delivered(count = 1, about: { accountId?: string; webhookId?: number } = {}) {
  const receiver = await platform.receiver((res) => res.writeHead(200).end());
  const service = await platform.start();
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    service.pass(1_000);
    ids.push((await service.request(receiver.uri.replace('//', '//user:c4nary@') + '?key=c4nary', about)).deliveryId);
  }
  for (const id of ids) await service.settled(id);
  return { service, ids, receiver };
}

test('one delivery shows its state and attempts, by UUID and by node id, without credentials', async () => {
  const { service, ids, receiver } = await delivered();
  const id = ids[0] ?? '';
  const nodeID = toNodeId('service.example', 'WebhookDelivery', id);
  const body: unknown = (await get(service, `${path}/${id}`).expect(200)).body;
  const at = service.now().toISOString().replace('.000Z', 'Z');
  expect(body).toEqual({
    id,
    nodeID,
    event: 'request.create',
    event_id: (await service.stored(id)).eventId,
    object_id: null,
    object_nodeID: null,
    test: false,
    state: 'delivered',
    stopped_reason: null,
    origin: null,
    webhook: { id: 7, nodeID: toNodeId('service.example', 'Webhook', 7) },
    uri: `${receiver.uri.replace('//', '//***@')}?key=***`,
    host: new URL(receiver.uri).host,
    request: expect.anything() as unknown,
    next_attempt_at: null,
    requested_at: at,
    created_at: at,
    attempts: [
      {
        attempt: 1,
        at,
        outcome: 'delivered',
        status: 200,
        error: null,
        error_class: null,
        fault: null,
        milliseconds: {
          dns: expect.any(Number) as number,
          connect: expect.any(Number) as number,
          tls: null,
          first_byte: expect.any(Number) as number,
          total: expect.any(Number) as number,
        },
      },
    ],
  });
  expect(body).toMatchObject({
    request: {
      method: 'POST',
      uri: `${receiver.uri.replace('//', '//***@')}?key=***`,
      signed: false,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        Accept: '*/*',
        'User-Agent': 'Service/1.0 (https://api.service.example/docs/v1/webhooks)',
        Link: link,
        'X-Service-Delivery': id,
        Authorization: 'Basic ***',
      },
      body: { webhook_id: 7, event: 'request.create' },
    },
  });
  expect(JSON.stringify(body)).not.toContain('c4nary');
  expect((await get(service, `${path}/${nodeID}/`).expect(200)).body).toEqual(body);
});

test('the list is newest first, in pages', async () => {
  const { service, ids } = await delivered(3);
  const first = await get(service, `${path}?per_page=2`).expect(200);
  expect((first.body as { id: string }[]).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  expect(first.headers).toMatchObject({ 'x-pagination-total-entries': '3', 'x-pagination-per-page': '2' });
  const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
  const second = await get(service, next).expect(200);
  expect((second.body as { id: string }[]).map(({ id }) => id)).toEqual([ids[0]]);
});

test('the list can be limited to one webhook, by number or node id', async () => {
  const { service } = await delivered(2, { webhookId: 9 });
  for (const webhook of ['9', toNodeId('service.example', 'Webhook', 9)]) {
    expect((await get(service, `${path}?webhook_id=${webhook}`).expect(200)).body).toHaveLength(2);
  }
  for (const webhook of ['8', 'nonsense', '']) {
    expect((await get(service, `${path}?webhook_id=${webhook}`).expect(200)).body).toEqual([]);
  }
  expect((await get(service, '/v1/webhooks/9/deliveries?fields=id').expect(200)).body).toHaveLength(2);
  expect((await get(service, '/v1/webhooks/8/deliveries').expect(200)).body).toEqual([]);
  expect((await get(service, '/v1/webhooks/9/deliveries', 'acme').expect(200)).body).toEqual([]);
  await get(service, '/v1/webhooks/9/deliveries?webhook_id=8').expect(400);
  for (const id of ['-9', '9.5', 'nonsense', '$ne', '99999999999999999999', toNodeId('service.example', 'Team', 9)])
    await get(service, `/v1/webhooks/${id}/deliveries`).expect(404, { message: 'Not Found' });
});

test('the list can be filtered by state, event and time', async () => {
  const { service } = await delivered(2);
  const count = async (query: string) =>
    ((await get(service, `${path}?${query}`).expect(200)).body as unknown[]).length;
  expect(await count('state=delivered')).toBe(2);
  expect(await count('state=failed,stopped')).toBe(0);
  expect(await count('event=request.create&test=false')).toBe(2);
  expect(await count(`created_at=>=${encodeURIComponent(service.now().toISOString())}`)).toBe(1);
});

test('a callback in a body is not shown', async () => {
  const receiver = await platform.receiver((res) => res.writeHead(200).end());
  const service = await platform.start();
  const callback = 'https://api.service.example/verify?code=c4nary&expires_at=1';
  const { deliveryId } = await service.request(receiver.uri, {}, JSON.stringify({ payload: { callback } }));
  await service.settled(deliveryId);
  const answer = await get(service, `${path}/${deliveryId}`).expect(200);
  expect(answer.body).toMatchObject({
    request: { body: { payload: { callback: expect.stringContaining('code=***') as unknown } } },
  });
  expect(answer.text).not.toContain('c4nary');
});

test('another account finds nothing', async () => {
  const { service, ids } = await delivered(1);
  expect((await get(service, path, 'acme').expect(200)).body).toEqual([]);
  await get(service, `${path}/${ids[0]}`, 'acme').expect(404, { message: 'Not Found' });
});

test.each(['1', 'nonsense', randomUUID(), toNodeId('service.example', 'Webhook', 7), '%00', '$ne'])(
  'an id that names no delivery is not found: %s',
  async (id) => {
    const service = await platform.start();
    await get(service, `${path}/${id}`).expect(404, { message: 'Not Found' });
  },
);

test.each([
  ['per_page=0', 'per_page must be an integer from 1 to 100'],
  ['per_page=101', 'per_page must be an integer from 1 to 100'],
  ['webhook_id[$ne]=1', 'Parameter webhook_id[$ne] must be a plain value'],
  ['webhook_id=1&webhook_id=2', 'Parameter webhook_id is given more than once'],
  ['outcome=failed', 'Filtering not allowed on fields: outcome'],
  ['test=perhaps', 'test must be a boolean, not perhaps'],
  ['sort=state', 'Sorting not allowed on fields: state'],
  ['fields=request', 'Unknown fields: request'],
  ['fields=sealed', 'Unknown fields: sealed'],
  ['search_after=x', 'search_after is not a cursor of this collection'],
])('a bad query is refused: %s', async (query, message) => {
  const service = await platform.start();
  await get(service, `${path}?${query}`).expect(400, { message });
});

test.each([path, `${path}/${randomUUID()}`])('only administrators with the scope read %s', async (url) => {
  const service = await platform.start();
  const reader = { scopes: [{ effect: 'allow' as const, actions: ['webhook:Read'] }] };
  await get(service, url, 'wdc', reader).expect(403, { message: 'Missing required scope(s): webhook-delivery:Read' });
  await get(service, url, 'wdc', { accounts: { wdc: ['specialist', 'auditor'] } }).expect(403);
  await get(service, url, 'acme', { accounts: { wdc: ['account_administrator'] } }).expect(403);
  await get(service, url, '').expect(400, { message: 'Missing X-Service-Account header' });
  await request(service.app.http).get(url).set('X-Service-Account', 'wdc').expect(401, { message: 'Unauthorized' });
  await request(service.app.http).get(url).set('Authorization', 'Bearer x.y.z').expect(401);
  await get(service, url, 'wdc', { exp: 1 }).expect(401);
});

test.each(['post', 'put', 'patch', 'delete'] as const)('%s is not allowed, with any body', async (method) => {
  const service = await platform.start();
  const answer = await request(service.app.http)
    [method](path)
    .set('Authorization', `Bearer ${platform.keys.token()}`)
    .set('X-Service-Account', 'wdc')
    .set('Content-Type', 'application/json')
    .send('{"broken');
  expect(answer.status).toBe(405);
  expect(answer.headers['allow']).toBe('GET');
});

interface Layer {
  readonly route?: { readonly path: string | string[]; readonly stack: readonly { readonly handle: object }[] };
  readonly handle: { readonly stack?: readonly Layer[] };
}

const routesOf = (layers: readonly Layer[]): NonNullable<Layer['route']>[] =>
  layers.flatMap(({ route, handle }) => (route ? [route] : routesOf(handle.stack ?? [])));

test('every route names the action it needs', async () => {
  const { app } = await platform.start();
  const routes = routesOf((app.http.router as unknown as { stack: readonly Layer[] }).stack);
  expect(routes.length).toBeGreaterThanOrEqual(5);
  for (const { path: at, stack } of routes) {
    // What types are is public.
    if (at === '/v1/types') continue;
    // GraphQL authorizes by field, not by route.
    if (
      at === '/' &&
      stack.some(({ handle }) => allowedAction(handle) === undefined) &&
      !stack.some(({ handle }) => allowedAction(handle))
    )
      continue;
    const actions = stack.map(({ handle }) => allowedAction(handle)).filter(Boolean);
    const action = /redeliver$|retry$/.test(String(at)) ? 'webhook-delivery:Create' : 'webhook-delivery:Read';
    expect({ at, actions: [...new Set(actions)] }).toEqual({ at, actions: [action] });
  }
});
