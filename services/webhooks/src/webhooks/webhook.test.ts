import request from 'supertest';
import { expectWhole } from '@itsm/shared/testing/whole-record';
import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, bodyOf, input, recordEvent, register, show } from '../testing/webhook-steps';
import type { Body } from '../testing/webhook-steps';
import { webhookType } from './webhook-type';

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

const invalid = (...errors: readonly unknown[]) => ({ message: 'Validation Failed', errors });

test.each(['/v1/webhooks', '/v1/webhooks/'])('registering at %s answers 201 with the whole record', async (path) => {
  const answer = await service.as('wdc').post(path, input).expect(201);
  const { id } = answer.body as Body;
  expect(answer.headers['location']).toBe(`https://api.example/v1/webhooks/${id}`);
  expect(answer.headers['cache-control']).toBe('no-store');
  expectWhole(webhookType, answer.body, {
    id,
    nodeID: Buffer.from(`service.example/Webhook/${id}`).toString('base64url'),
    name: 'request.create',
    event: 'request.create',
    uri: input.uri,
    description: null,
    disabled: false,
    state: 'unverified',
    disabled_reason: null,
    last_error: null,
    consecutive_failures: 0,
    failing_since: null,
    would_be_disabled_at: null,
    warning_percent: null,
    mail_exceptions_to: null,
    webhook_policy: null,
    openid_connect_discovery: false,
    source: null,
    sourceID: null,
    created_at: '2026-03-18T19:04:06Z',
    updated_at: '2026-03-18T19:04:06Z',
  });
});

test('the deliveries path tells the gateway whether the webhook exists: 204, otherwise 404', async () => {
  const { id } = await register(service, 'wdc');
  await service.as('wdc').get(`/v1/webhooks/${id}/deliveries`).expect(204);
  await service.as('acme').get(`/v1/webhooks/${id}/deliveries`).expect(404);
  await service.as('wdc').get('/v1/webhooks/999/deliveries').expect(404);
  await service
    .as('wdc', { accounts: { wdc: ['specialist'] } })
    .get(`/v1/webhooks/${id}/deliveries`)
    .expect(403);
});

test('every accepted member is stored', async () => {
  const members = { name: 'Mirror', description: 'To the mirror', source: 'CMDB', sourceID: 'h-1' };
  const { id } = await register(service, 'wdc', members);
  expect(await show(service, 'wdc', id)).toMatchObject(members);
});

test('a webhook registered as disabled is sent nothing until it is enabled', async () => {
  const { id, state } = await register(service, 'wdc', { disabled: true });
  expect(state).toBe('disabled');
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: false }).expect(200);
  expect(await service.deliveriesOf(id)).toMatchObject([{ event: 'webhook.verify' }]);
});

test.each([
  [{}, ['event', 'Event is required'], ['uri', 'Address is required']],
  [{ ...input, event: 'request.destroy' }, ['event', 'Event is not an event that webhooks can be registered for']],
  [{ ...input, event: 'webhook.verify' }, ['event', 'Event is not an event that webhooks can be registered for']],
  [{ ...input, event: ['request.create'] }, ['event', 'Event is not an event that webhooks can be registered for']],
  [{ ...input, uri: 'http://receiver.example/' }, ['uri', 'Address is not a valid https address']],
  [{ ...input, uri: 'https://localhost/' }, ['uri', 'Address is not a valid https address: its host is not public']],
  [{ ...input, uri: { $ne: null } }, ['uri', 'Address is not a text']],
  [{ ...input, uri: 'https://user:***@host/' }, ['uri', 'Address has a masked password: enter the password again']],
  [{ ...input, name: 'Mirror\nReceiver: other.example' }, ['name', 'Name must be a single line']],
  [{ ...input, uri: 'https://10.0.0.1/' }, ['uri', 'Address is not a valid https address: its host is not public']],
  [
    { ...input, uri: 'https://receiver.example:6379/' },
    ['uri', 'Address is not a valid https address: only the ports 443, 80 and 8443 are called'],
  ],
  [{ ...input, name: 'n'.repeat(129) }, ['name', 'Name is too long (at most 128 characters)']],
  [{ ...input, disabled: 'yes' }, ['disabled', 'Disabled is not true or false']],
  [{ ...input, colour: 'red', id: 7 }, ['colour', 'Unknown member'], ['id', 'Unknown member']],
] as const)('%j is refused, naming what is wrong', async (body, ...errors) => {
  await service
    .as('wdc')
    .post('/v1/webhooks', body)
    .expect(422, invalid(...errors));
  await service.as('wdc').get('/v1/webhooks').expect(200, []);
});

test('http and loopback receivers are accepted where the settings say so', async () => {
  const local = await startService(engines, { ALLOW_INSECURE_RECEIVERS: 'true' });
  expect(await register(local, 'wdc', { uri: 'http://127.0.0.1:4321/hook' })).toMatchObject({ state: 'unverified' });
  await local.close();
});

test('a webhook is found by its integer and by its node id; other ids are Not Found', async () => {
  const { id, nodeID } = await register(service, 'wdc');
  await service.as('wdc').get(`/v1/webhooks/${id}/`).expect(200);
  await service
    .as('wdc')
    .get(`/v1/webhooks/${String(nodeID)}`)
    .expect(200);
  const person = Buffer.from(`service.example/Person/${id}`).toString('base64url');
  for (const other of ['0', '99999', '99999999999999999999', '-1', '1.0', 'x', '%00', person])
    await service.as('wdc').get(`/v1/webhooks/${other}`).expect(404, { message: 'Not Found' });
});

test('the list has pages, a choice of fields and an order', async () => {
  for (const name of ['b', 'c', 'a']) await register(service, 'wdc', { name });
  await register(service, 'acme');
  const answer = await service.as('wdc').get('/v1/webhooks?per_page=2&sort=-name&fields=name').expect(200);
  expect(answer.body).toMatchObject([{ name: 'c' }, { name: 'b' }]);
  expect(Object.keys((answer.body as object[])[0] ?? {})).toEqual(['id', 'name']);
  expect(answer.headers).toMatchObject({ 'x-pagination-total-entries': '3', 'x-pagination-per-page': '2' });
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1] ?? '';
  const body = bodyOf(await service.as('wdc').get(next).expect(200));
  expect(body).toMatchObject([{ name: 'a' }]);
  await service.as('wdc').get('/v1/webhooks?per_page=101').expect(400);
  await service.as('wdc').get('/v1/webhooks?fields=uriDigest').expect(400, { message: 'Unknown fields: uriDigest' });
});

test.each(['fields=nope', 'fields=id&fields=name', 'fields[]=id'])(
  'what is refused for ?%s changes nothing',
  async (query) => {
    const { id } = await activeWebhook(service, 'wdc');
    const path = `/v1/webhooks/${id}?${query}`;
    await service.as('wdc').post(`/v1/webhooks?${query}`, input).expect(400);
    await service.as('wdc').patch(path, { disabled: true }).expect(400);
    await service.as('wdc').put(path, { name: 'Another' }).expect(400);
    const all = bodyOf(await service.as('wdc').get('/v1/webhooks?fields=*').expect(200)) as unknown;
    expect(all).toEqual([expect.objectContaining({ id, state: 'active' })]);
  },
);

test.each(['patch', 'put'] as const)('%s changes what is given and leaves the rest', async (method) => {
  const { id } = await activeWebhook(service, 'wdc', { description: 'before' });
  service.pass(1_000);
  const changes = { name: 'Renamed', description: null, sourceID: 's' };
  const body = bodyOf(await service.as('wdc')[method](`/v1/webhooks/${id}`, changes).expect(200));
  const stored = { ...changes, event: 'request.create', state: 'active', updated_at: '2026-03-18T19:04:07Z' };
  expect(body).toMatchObject(stored);
  expect(await show(service, 'wdc', id)).toMatchObject(stored);
});

test('a refused change changes nothing', async () => {
  const webhook = await activeWebhook(service, 'wdc');
  const path = `/v1/webhooks/${webhook.id}`;
  const refused = await service.as('wdc').patch(path, { name: 'New', uri: 'http://x' }).expect(422);
  expect(refused.body).toEqual(invalid(['uri', 'Address is not a valid https address']));
  await service
    .as('wdc')
    .patch(path, { state: 'active' })
    .expect(422, invalid(['state', 'Unknown member']));
  expect(await show(service, 'wdc', webhook.id)).toEqual(webhook);
});

test('disabling and enabling is a change of `disabled`', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const path = `/v1/webhooks/${id}`;
  const disabled = bodyOf(await service.as('wdc').patch(path, { disabled: true }).expect(200));
  expect(disabled).toMatchObject({ state: 'disabled', disabled_reason: 'Disabled by an administrator' });
  expect(await service.stopsOf(id)).toMatchObject([{ accountId: 'wdc', reason: 'disabled' }]);
  const enabled = bodyOf(await service.as('wdc').patch(path, { disabled: false }).expect(200));
  expect(enabled).toMatchObject({ state: 'active', disabled_reason: null });
  expect(await service.deliveriesOf(id)).toHaveLength(1);
});

test('changes at the same time are all kept', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  const changes = [{ name: 'n' }, { description: 'd' }, { source: 's' }, { sourceID: 'i' }, { event: 'task.create' }];
  await Promise.all(changes.map((change) => service.as('wdc').patch(`/v1/webhooks/${id}`, change).expect(200)));
  expect(await show(service, 'wdc', id)).toMatchObject(Object.assign({}, ...changes) as object);
});

test('a deleted webhook is gone, and the deliveries that wait are stopped', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await service.as('wdc').delete(`/v1/webhooks/${id}`).expect(204);
  expect(await service.stopsOf(id)).toMatchObject([{ accountId: 'wdc', reason: 'deleted' }]);
  const path = `/v1/webhooks/${id}`;
  await service.as('wdc').get(path).expect(404);
  await service.as('wdc').patch(path, {}).expect(404);
  await service.as('wdc').delete(path).expect(404);
  await service.as('wdc').post(`${path}/test`).expect(404);
  await service.as('wdc').post(`${path}/verify`).expect(404);
  await service.as('wdc').get('/v1/webhooks').expect(200, []);
});

test.each([
  [{}, 'unverified'],
  [{ disabled: true }, 'disabled'],
])('a test delivery is sent and changes nothing (%j)', async (more, state) => {
  const webhook = await register(service, 'wdc', { event: 'task.status-changed', ...more });
  service.pass(1_000);
  await service.as('wdc', { sub: '17', name: 'Alan Turing' }).post(`/v1/webhooks/${webhook.id}/test`).expect(204, '');
  const sent = (await service.deliveriesOf(webhook.id, state === 'disabled' ? 1 : 2)).at(-1);
  expect(sent).toMatchObject({ event: 'task.status-changed', test: true, uri: input.uri });
  expect(sent?.body).toMatchObject({
    event: 'task.status-changed',
    object_id: 12_345,
    object_nodeID: Buffer.from('service.example/Task/12345').toString('base64url'),
    person_id: 17,
    person_name: 'Alan Turing',
    payload: { status: 'in_progress', previous_status: 'assigned' },
  });
  expect(sent?.link).toContain('<https://api.example/accounts/wdc/tasks/12345>; rel="canonical"');
  expect(await show(service, 'wdc', webhook.id)).toEqual(webhook);
});

test('another account finds nothing', async () => {
  const webhook = await activeWebhook(service, 'wdc');
  const path = `/v1/webhooks/${webhook.id}`;
  const acme = service.as('acme');
  const answers = [
    await acme.get(path),
    await acme.get(`/v1/webhooks/${String(webhook['nodeID'])}`),
    await acme.patch(path, { name: 'Taken over' }),
    await acme.put(path, { name: 'Taken over' }),
    await acme.delete(path),
    await acme.post(`${path}/test`),
    await acme.post(`${path}/verify`),
  ];
  for (const { status, body } of answers) expect([status, body]).toEqual([404, { message: 'Not Found' }]);
  await acme.get('/v1/webhooks').expect(200, []);
  expect(await show(service, 'wdc', webhook.id)).toEqual(webhook);
  expect(service.deliveries).toHaveLength(1);
});

test('a caller cannot select an account that the token does not name', async () => {
  await service
    .as('wdc', { accounts: { acme: ['account_administrator'] } })
    .get('/v1/webhooks')
    .expect(403);
});

test('only account administrators with the scope may', async () => {
  const { id } = await register(service, 'wdc');
  const path = `/v1/webhooks/${id}`;
  const specialist = service.as('wdc', { accounts: { wdc: ['specialist', 'directory_administrator'] } });
  const reader = service.as('wdc', { scopes: [{ effect: 'allow', actions: ['webhook:Read'] }] });
  const writer = service.as('wdc', { scopes: [{ effect: 'allow', actions: ['webhook:Create', 'request:*'] }] });
  for (const caller of [specialist, writer]) {
    await caller.get('/v1/webhooks').expect(403);
    await caller.get(path).expect(403);
  }
  for (const caller of [specialist, reader, writer]) {
    await caller.patch(path, {}).expect(403);
    await caller.delete(path).expect(403);
    await caller.post(`${path}/test`).expect(403);
    await caller.post(`${path}/verify`).expect(403);
  }
  for (const caller of [specialist, reader]) await caller.post('/v1/webhooks', input).expect(403);
  await reader.get(path).expect(200);
  await writer.post('/v1/webhooks', input).expect(201);
});

test('bad requests get their documented answer', async () => {
  const { id } = await register(service, 'wdc');
  const { http } = service.app;
  const token = `Bearer ${engines.keys.token()}`;
  const post = () => request(http).post('/v1/webhooks').set('Authorization', token).set('X-Service-Account', 'wdc');
  await request(http).post('/v1/webhooks').send(input).expect(401, { message: 'Unauthorized' });
  await request(http).get('/v1/webhooks').set('Authorization', 'Bearer a.b.c').expect(401);
  await request(http)
    .get('/v1/webhooks')
    .set('Authorization', token)
    .expect(400, { message: 'Missing X-Service-Account header' });
  await post().set('Content-Type', 'application/json').send('{"event"').expect(400, { message: 'Invalid JSON' });
  await post().set('Content-Type', 'application/json').send('[]').expect(400, { message: 'Invalid JSON' });
  await post().set('Content-Type', 'text/plain').send('event').expect(415);
  await post()
    .send({ ...input, description: 'd'.repeat(70_000) })
    .expect(413);
  await service.as('wdc').delete('/v1/webhooks').expect(405).expect('Allow', 'GET, HEAD, POST');
  await service.as('wdc').post(`/v1/webhooks/${id}`).expect(405).expect('Allow', 'GET, HEAD, PATCH, PUT, DELETE');
  await service.as('wdc').get(`/v1/webhooks/${id}/test`).expect(405).expect('Allow', 'POST');
  await service.as('wdc').get(`/v1/webhooks/${id}/verify`).expect(405).expect('Allow', 'POST');
  await service.as('wdc').get(`/v1/webhooks/${id}/nothing`).expect(404, { message: 'Not Found' });
});

test('a password in the address is masked, kept on a round trip, and asked for again when the rest changes', async () => {
  const uri = 'https://user:s3cr3t-pw@receiver.example/hook';
  const shown = 'https://user:***@receiver.example/hook';
  const webhook = await activeWebhook(service, 'wdc', { uri });
  expect(webhook.uri).toBe(shown);
  const path = `/v1/webhooks/${webhook.id}`;
  const body = bodyOf(await service.as('wdc').patch(path, { uri: shown, name: 'Renamed' }).expect(200));
  expect(body).toMatchObject({ uri: shown, name: 'Renamed', state: 'active' });
  await recordEvent(service, 'wdc');
  expect((await service.deliveriesOf(webhook.id, 2)).at(-1)).toMatchObject({ uri });
  await service.as('wdc').patch(path, { uri: 'https://user:***@other.example/' }).expect(422);
});

test('neither the store nor the messages nor the log contain a code or an address with its password', async () => {
  const waiting = await register(service, 'wdc', { uri: 'https://user:s3cr3t-pw@receiver.example/a?key=s3cr3t-key' });
  await activeWebhook(service, 'wdc', { uri: 'https://user:s3cr3t-pw@receiver.example/b' });
  await service.as('wdc').post(`/v1/webhooks/${waiting.id}/test`).expect(204);
  await service.as('wdc').post(`/v1/webhooks/${waiting.id}/verify`).expect(204);
  await recordEvent(service, 'wdc');
  const codes = service.deliveries.flatMap(({ text }) => /code=([\w-]{24})/.exec(text)?.[1] ?? []);
  expect(codes).toHaveLength(3);

  const dump: unknown[] = [service.messages, service.lines];
  for (const { name } of await service.connection.listCollections())
    dump.push(await service.connection.collection(name).find({}).toArray());
  const text = JSON.stringify(dump);
  expect(text).toContain('sealedUri');
  for (const secret of ['s3cr3t', 'receiver.example', ...codes]) expect(text).not.toContain(secret);
});
