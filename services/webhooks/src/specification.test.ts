import { accountSaved } from '@itsm/shared/contracts/directory';
import { recordEventNames } from '@itsm/shared/contracts/events';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKind, RecordKindName } from '@itsm/shared/contracts/record-kinds';
import type { RecordPayload } from '@itsm/shared/contracts/event-body';
import { accountUrl, day, startEngines, startService } from './testing/start';
import type { Engines, Requested, Service } from './testing/start';
import {
  activeWebhook,
  attemptEnds,
  bodyOf,
  callbackIn,
  input,
  open,
  recordEvent,
  register,
  show,
} from './testing/webhook-steps';

/** The rows of the specification's webhook tables; test names quote them. */
let engines: Engines;
let service: Service;
let accounts = 0;
/** A fresh account for each test. */
let account: string;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
beforeEach(() => {
  account = `row-${(accounts += 1)}`;
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

const patch = (id: number, changes: object) => service.as(account).patch(`/v1/webhooks/${id}`, changes).expect(200);

describe('Webhook verification and activity', () => {
  test('newly registered, no verified webhook in the account has exactly the same URI: webhook.verify is sent at once; unverified', async () => {
    await activeWebhook(service, account, { uri: `${input.uri}/` });
    const { id, state } = await register(service, account);
    expect(state).toBe('unverified');
    expect(await service.deliveriesOf(id)).toMatchObject([{ event: 'webhook.verify', uri: input.uri }]);
  });

  test('newly registered, same URI already verified in the account: no verification step', async () => {
    await activeWebhook(service, account);
    const { id, state } = await register(service, account, { event: 'task.create' });
    expect(state).toBe('active');
    await recordEvent(service, account, { event: 'task.create' });
    expect(await service.deliveriesOf(id)).toMatchObject([{ event: 'task.create' }]);
  });

  test.each(['get', 'post'] as const)(
    'unverified, verification callback (%s) reaches the service with a valid code: verified and active',
    async (method) => {
      const { id } = await register(service, account);
      const [verify] = await service.deliveriesOf(id);
      await open(service, callbackIn(verify), method).expect(200, /Verification successful/);
      expect(await show(service, account, id)).toMatchObject({ state: 'active' });
    },
  );

  test('unverified, update of the webhook: new webhook.verify with a fresh code valid for 24 hours; the old callback stops being valid', async () => {
    const { id } = await register(service, account);
    service.pass(5 * day);
    await patch(id, { description: 'New' });
    const [first, second] = await service.deliveriesOf(id, 2);
    await open(service, callbackIn(first)).expect(404);
    service.pass(day - 1);
    await open(service, callbackIn(second)).expect(200);
  });

  test('unverified, resend within 24 hours: new webhook.verify with a fresh code; the old callback stops being valid', async () => {
    const { id } = await register(service, account);
    service.pass(day - 1);
    await service.as(account).post(`/v1/webhooks/${id}/verify`).expect(204);
    const [first, second] = await service.deliveriesOf(id, 2);
    expect(callbackIn(first)).not.toBe(callbackIn(second));
    await open(service, callbackIn(first)).expect(404);
    service.pass(day - 1);
    await open(service, callbackIn(second)).expect(200);
  });

  test('verified, URI of the webhook is updated: needs verification again and is inactive until the callback is received', async () => {
    const { id } = await activeWebhook(service, account);
    await patch(id, { uri: 'https://new.example/' });
    expect(await show(service, account, id)).toMatchObject({ state: 'unverified' });
    await recordEvent(service, account);
    const skipped = (await service.deliveriesOf(id, 3)).find(({ event }) => event === 'request.create');
    expect(skipped).toMatchObject({ skipped: 'unverified' });
    const verify = service.deliveries.findLast((one) => one.webhookId === id && one.event === 'webhook.verify');
    await open(service, callbackIn(verify)).expect(200);
    await recordEvent(service, account);
    expect((await service.deliveriesOf(id, 4)).at(-1)).not.toHaveProperty('skipped');
  });

  test('active, 20 consecutive failures over a period longer than one week: disabled; its details contain the last error', async () => {
    const { id } = await activeWebhook(service, account);
    for (let failure = 1; failure <= 19; failure += 1) await attemptEnds(service, account, id);
    service.pass(7 * day + 1);
    await attemptEnds(service, account, id, { error: 'The last one' });
    expect(await show(service, account, id)).toMatchObject({ state: 'disabled', last_error: 'The last one' });
  });
});

async function bodyFor(more: Parameters<typeof recordEvent>[2] = {}, webhook: object = {}): Promise<Requested> {
  const { id } = await activeWebhook(service, account, webhook);
  await recordEvent(service, account, more);
  const found = (await service.deliveriesOf(id, 2)).at(-1);
  if (!found) throw new Error('There is no delivery');
  return found;
}

describe('Webhook delivery body', () => {
  test.each<[member: string, more: Parameters<typeof recordEvent>[2], expected: unknown]>([
    ['account_id', {}, expect.stringMatching(/^row-\d+$/)],
    ['account', {}, expect.stringMatching(/^https:\/\/api\.example\/accounts\/row-\d+$/)],
    ['custom_url', {}, undefined],
    ['name', {}, 'Mirror'],
    ['event', {}, 'request.create'],
    ['object_id', {}, 70_451],
    ['object_nodeID', {}, 'cmVxdWVzdA'],
    ['person_id', {}, 6],
    ['person_nodeID', {}, 'cGVyc29u'],
    ['person_name', {}, 'Grace Hopper'],
    ['person_id', { person: null }, null],
    ['person_nodeID', { person: null }, null],
    ['person_name', { person: null }, null],
    ['payload', { payload: {} }, {}],
  ])('%s, of %j', async (member, more, expected) => {
    expect((await bodyFor(more, { name: 'Mirror' })).body[member]).toEqual(expected);
  });

  test('webhook_id and webhook_nodeID', async () => {
    const { body, webhookId } = await bodyFor();
    expect(body).toMatchObject({
      webhook_id: webhookId,
      webhook_nodeID: Buffer.from(`service.example/Webhook/${webhookId}`).toString('base64url'),
    });
  });

  test('custom_url, when defined', async () => {
    const saved = { id: account, name: 'Row', directoryAccountId: null, disabled: false, version: 1 };
    await service.broker.publish(accountSaved, { ...saved, customUrl: 'https://desk.row.example' }, account);
    expect((await bodyFor()).body).toMatchObject({ custom_url: 'https://desk.row.example' });
  });

  test('Link header: canonical, resource, and related for a note', async () => {
    const links = { canonical: '/requests/1', resource: '/v1/requests/1', related: '/v1/requests/1/notes/2' };
    expect((await bodyFor({ links })).link).toBe(
      [
        `<${accountUrl(account)}/requests/1>; rel="canonical"`,
        '<https://api.example/v1/requests/1>; rel="resource"',
        '<https://api.example/v1/requests/1/notes/2>; rel="related"',
      ].join(', '),
    );
  });

  test('webhook.verify has payload.callback, a URL with code and expires_at', async () => {
    const { id } = await register(service, account);
    const [verify] = await service.deliveriesOf(id);
    const callback = new URL(String(verify?.body.payload['callback']));
    expect([...callback.searchParams.keys()]).toEqual(['code', 'expires_at']);
    expect(`${callback.origin}${callback.pathname}`).toBe(`${accountUrl(account)}/webhooks/${id}/verify`);
    expect(Object.keys(verify?.body.payload ?? {})).toEqual(['callback']);
  });
});

const team = { id: 3, nodeID: 't', name: 'Desk', account: { id: 'wdc', name: 'Widget' } };
const member = { id: 4, nodeID: 'm', name: 'Alan', account: { id: 'wdc', name: 'Widget' } };

describe('Members of payload', () => {
  test.each<[name: string, payload: RecordPayload]>([
    ['audit_line_id, audit_line_nodeID: the event caused an audit entry', { audit_line_id: 1, audit_line_nodeID: 'a' }],
    ['note_id, note_nodeID: a note was created', { note_id: 2, note_nodeID: 'n' }],
    ['source: has a value', { source: 'CMDB' }],
    ['sourceID: has a value', { sourceID: '17' }],
    ['status: the record has a Status field', { status: 'assigned' }],
    ['previous_status: of a status-changed event', { status: 'in_progress', previous_status: 'assigned' }],
    ['team id, nodeID, name, account: the record has a team', { team }],
    ['team sourceID: has a value', { team: { ...team, sourceID: 'S' } }],
    ['team disabled: omitted when the team is enabled', { team: { ...team, disabled: true } }],
    ['member id, nodeID, name, account: the record has a Member value', { member }],
    ['member sourceID: has a value', { member: { ...member, sourceID: 'S' } }],
    ['member disabled: omitted when the person is enabled', { member: { ...member, disabled: true } }],
  ])('%s; nothing else is there', async (_name, payload) => {
    expect((await bodyFor({ payload })).body.payload).toEqual(payload);
  });

  test('a member that the table does not have is not passed on', async () => {
    const payload = { status: 'assigned', password: 's3cr3t' } as RecordPayload;
    expect((await bodyFor({ payload })).text).not.toContain('s3cr3t');
  });

  test.each(recordEventNames)('the test delivery of %s has the members of its record type', async (event) => {
    const { id } = await register(service, account, { event, disabled: true });
    await service.as(account).post(`/v1/webhooks/${id}/test`).expect(204, '');
    const [sent] = await service.deliveriesOf(id);
    const [name, action] = event.split('.') as [RecordKindName, string];
    const { service: owner, statuses, assignable, events }: RecordKind = recordKinds[name];
    const { payload } = sent?.body ?? { payload: {} };
    expect(sent?.body).toMatchObject({ event, object_id: 12_345 });
    expect('status' in payload).toBe(statuses !== undefined);
    expect('previous_status' in payload).toBe(action === 'status-changed');
    expect('note_id' in payload).toBe(events.includes('note-added'));
    expect('audit_line_id' in payload).toBe(action !== 'note-added' && owner === 'graph');
    expect(payload).toMatchObject({ source: 'sample', sourceID: 'sample' });
    expect(sent?.link.includes('rel="related"')).toBe(action === 'note-added');
    expect([payload['team'], payload['member']]).toEqual(
      assignable
        ? ['Team', 'Person'].map((of) => ({
            id: 12_345,
            nodeID: Buffer.from(`service.example/${of}/12345`).toString('base64url'),
            name: expect.stringMatching(/^Sample/) as string,
            sourceID: 'sample',
            account: { id: account, name: account },
          }))
        : [undefined, undefined],
    );
  });
});

describe('Webhooks (REST)', () => {
  test('POST /v1/webhooks/: 201 Created; Location with the URL of the new webhook; id, name, event, uri, created_at, updated_at', async () => {
    const answer = await service.as(account).post('/v1/webhooks/', input).expect(201);
    const body = bodyOf(answer);
    expect(answer.headers['location']).toBe(`https://api.example/v1/webhooks/${body.id}`);
    for (const field of ['id', 'name', 'event', 'uri', 'created_at', 'updated_at']) expect(body[field]).toBeTruthy();
  });

  test("POST /v1/webhooks/:id/test: 204 No Content; a test delivery for the webhook's event without changing data", async () => {
    const webhook = await activeWebhook(service, account);
    await service.as(account).post(`/v1/webhooks/${webhook.id}/test`).expect(204, '');
    expect((await service.deliveriesOf(webhook.id, 2)).at(-1)).toMatchObject({ event: 'request.create', test: true });
    expect(await show(service, account, webhook.id)).toEqual(webhook);
  });
});

describe('Events', () => {
  test('one call per occurrence', async () => {
    const { id } = await activeWebhook(service, account, { event: 'task.create' });
    await Promise.all(Array.from({ length: 50 }, () => recordEvent(service, account, { event: 'task.create' })));
    const ids = (await service.deliveriesOf(id, 51)).map(({ deliveryId }) => deliveryId);
    expect(new Set(ids).size).toBe(51);
  });

  test('a record visible in the All view of an account triggers the webhooks of that account', async () => {
    const provider = await activeWebhook(service, account, { event: 'sla.update' });
    const customer = await activeWebhook(service, `${account}-customer`, { event: 'sla.update' });
    const stranger = await activeWebhook(service, `${account}-stranger`, { event: 'sla.update' });
    const visibleTo = [account, `${account}-customer`];
    const { eventId } = await recordEvent(service, account, { event: 'sla.update', visibleTo });
    const called = service.deliveries.filter((delivery) => delivery.eventId === eventId).map((one) => one.webhookId);
    expect(called.sort((a, b) => a - b)).toEqual([provider.id, customer.id]);
    expect(await service.deliveriesOf(stranger.id)).toHaveLength(1);
  });
});

describe('Limits', () => {
  test('verification code validity: 24 hours', async () => {
    const { id } = await register(service, account);
    const [verify] = await service.deliveriesOf(id);
    service.pass(day);
    await open(service, callbackIn(verify)).expect(404);
  });

  test('consecutive failures before disabling: 20, over more than a week', async () => {
    const { id } = await activeWebhook(service, account);
    for (let failure = 1; failure <= 20; failure += 1) await attemptEnds(service, account, id);
    service.pass(7 * day);
    await attemptEnds(service, account, id);
    expect(await show(service, account, id)).toMatchObject({ state: 'active' });
    service.pass(1);
    await attemptEnds(service, account, id);
    expect(await show(service, account, id)).toMatchObject({ state: 'disabled' });
  });
});
