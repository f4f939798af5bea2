import { recordEventNames } from '@itsm/shared/contracts/events';
import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, bodyOf } from '../testing/webhook-steps';

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

const path = '/v1/webhook_events';
const query = '{ webhookEvents { name recordType description extraMembers sampleBody } }';

interface Description {
  readonly name: string;
  readonly recordType: string;
  readonly description: string;
  readonly extraMembers: readonly string[];
  readonly sampleBody: string;
}

const describe = async (account = 'wdc') =>
  (bodyOf(await service.as(account).graphql(query).expect(200))['data'] as { webhookEvents: Description[] })
    .webhookEvents;

const described = async (name: string) => (await describe()).find((one) => one.name === name);

test('the list has pages, fields and an order for those who ask', async () => {
  const get = (parameters: string) => service.as('wdc').get(`${path}${parameters}`);
  const names = (await describe()).map(({ name }) => name).sort();
  const first = await get('?per_page=5&sort=name&fields=name').expect(200);
  expect(first.body).toEqual(names.slice(0, 5).map((name) => ({ name })));
  expect(first.headers).toMatchObject({ 'x-pagination-total-entries': String(names.length) });
  const next = new URL(/<([^>]+)>; rel="next"/.exec(first.get('Link') ?? '')?.[1] ?? '');
  expect((await get(next.search).expect(200)).body).toEqual(names.slice(5, 10).map((name) => ({ name })));
  await get('?per_page=0').expect(400);
  await get('?colour=red').expect(400);
});

test('every event is described, each by a different sentence', async () => {
  const all = await describe();
  expect(all.map(({ name }) => name)).toEqual(recordEventNames);
  expect(new Set(all.map(({ description }) => description)).size).toBe(all.length);
});

test.each([
  ['request.create', 'Request', 'A request was created.', ['audit_line_id', 'audit_line_nodeID']],
  ['project_task.note-added', 'ProjectTask', 'A note was added to a project task.', []],
  [
    'problem.status-changed',
    'Problem',
    'The status of a problem changed; this causes .update as well.',
    ['audit_line_id', 'audit_line_nodeID', 'previous_status'],
  ],
  ['sla.update', 'ServiceLevelAgreement', 'A service level agreement was changed.', []],
  ['person.create', 'Person', 'A person was created.', []],
])('%s is described', async (name, recordType, description, extraMembers) => {
  expect(await described(name)).toMatchObject({ recordType, description, extraMembers });
});

test('every sample has the note that any write of a record with notes may add', async () => {
  for (const { name, sampleBody } of await describe()) {
    const { payload } = JSON.parse(sampleBody) as { payload: object };
    const hasNotes = recordEventNames.includes(`${name.split('.')[0]}.note-added` as (typeof recordEventNames)[number]);
    expect([name, 'note_id' in payload, 'note_nodeID' in payload]).toEqual([name, hasNotes, hasNotes]);
  }
});

test('the sample is the body of a test delivery, but for the webhook', async () => {
  const { id } = await activeWebhook(service, 'wdc', { event: 'task.status-changed', name: 'task.status-changed' });
  await service.as('wdc').post(`/v1/webhooks/${id}/test`).expect(204);
  const sent = (await service.deliveriesOf(id, 2))[1];
  const sample = JSON.parse((await described('task.status-changed'))?.sampleBody ?? '') as Record<string, unknown>;
  expect(Object.keys(sample)).toEqual(Object.keys(sent?.body ?? {}));
  const { webhook_id, webhook_nodeID, ...others } = sample;
  expect(sent?.body).toMatchObject(others);
  expect(webhook_id).toBe(12_345);
  expect(Buffer.from(String(webhook_nodeID), 'base64url').toString()).toMatch(/\/Webhook\/12345$/);
});

test('REST says the same, for the account of the caller', async () => {
  for (const account of ['wdc', 'acme']) {
    const { body } = await service.as(account).get(path).expect(200).expect('Cache-Control', 'no-store');
    expect(body).toEqual(
      (await describe(account)).map(({ name, recordType, description, extraMembers, sampleBody }) => ({
        name,
        record_type: recordType,
        description,
        extra_members: extraMembers,
        sample_body: JSON.parse(sampleBody) as unknown,
      })),
    );
    const samples = (body as { sample_body: { account_id: string } }[]).map(
      ({ sample_body }) => sample_body.account_id,
    );
    expect([...new Set(samples)]).toEqual([account]);
  }
});

test('only account administrators with the scope read them, and nothing else is done with them', async () => {
  for (const claims of [
    { accounts: { wdc: ['specialist', 'auditor'] } },
    { scopes: [{ effect: 'allow', actions: ['webhook-policy:*', 'request:*'] }] },
  ] as const) {
    const caller = service.as('wdc', structuredClone(claims) as object);
    await caller.get(path).expect(403);
    expect(bodyOf(await caller.graphql(query))).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  }
  await service
    .as('wdc', { accounts: { acme: ['account_administrator'] } })
    .get(path)
    .expect(403);
  await service.as('wdc', { exp: 1 }).get(path).expect(401);
  await service.as('wdc').get(`${path}?fields=colour`).expect(400);
  await service.as('wdc').get(`${path}/request.create`).expect(404);
  await service.as('wdc').post(path).expect(405).expect('Allow', 'GET, HEAD');
});
