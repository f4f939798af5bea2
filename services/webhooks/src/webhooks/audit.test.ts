import { day, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, attemptEnds, bodyOf, callbackIn, open, register } from '../testing/webhook-steps';

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

async function auditOf(account: string, id: number, query = '') {
  const { body } = await service.as(account).get(`/v1/webhooks/${id}/audit${query}`).expect(200);
  return body as { id: number; action: string; person: object | null; changes: object[]; created_at: string }[];
}

test('registering, changing and verifying are lines with person, time and the values before and after', async () => {
  const { id } = await register(service, 'wdc', { name: 'Mirror', uri: 'https://user:s3cr3t@host.example/' });
  service.pass(1_000);
  const changes = { name: 'Copy', description: 'x'.repeat(2_000) };
  await service.as('wdc', { sub: '17', name: 'Alan Turing' }).patch(`/v1/webhooks/${id}`, changes).expect(200);
  const [, verify] = await service.deliveriesOf(id, 2);
  await open(service, callbackIn(verify)).expect(200);
  const lines = await auditOf('wdc', id);
  expect(lines).toMatchObject([
    { id: 1, action: 'created', person: { id: 1, name: 'Ada Administrator' } },
    {
      id: 2,
      action: 'updated',
      person: { id: 17, name: 'Alan Turing' },
      created_at: '2026-03-18T19:04:07Z',
      changes: [
        { field: 'name', from: 'Mirror', to: 'Copy' },
        { field: 'description', from: null, to: `${'x'.repeat(1_000)}…` },
      ],
    },
    { id: 3, action: 'verified', person: null, changes: [{ field: 'state', from: 'unverified', to: 'active' }] },
  ]);
  expect(lines[0]?.changes).toContainEqual({ field: 'uri', from: null, to: 'https://user:***@host.example/' });
});

test('a new password is a change, although both sides are masked', async () => {
  const { id } = await register(service, 'wdc', { uri: 'https://user:one@host.example/' });
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { uri: 'https://user:two@host.example/' }).expect(200);
  const masked = 'https://user:***@host.example/';
  expect((await auditOf('wdc', id)).at(-1)?.changes).toEqual([{ field: 'uri', from: masked, to: masked }]);
});

test('a change that changes nothing leaves no line', async () => {
  const { id } = await activeWebhook(service, 'same', { name: 'Same' });
  const before = await auditOf('same', id);
  await service.as('same').patch(`/v1/webhooks/${id}`, { name: 'Same' }).expect(200);
  expect(await auditOf('same', id)).toEqual(before);
});

test('changes by the service itself are recorded without a person', async () => {
  const { id } = await activeWebhook(service, 'gone');
  await attemptEnds(service, 'gone', id, { status: 410 });
  expect((await auditOf('gone', id)).at(-1)).toMatchObject({
    action: 'disabled',
    person: null,
    changes: [
      { field: 'disabled', from: false, to: true },
      { field: 'disabled_reason', from: null, to: 'The receiver answered 410 Gone' },
      { field: 'state', from: 'active', to: 'disabled' },
    ],
  });
});

test('the audit is a collection with pages, order and filters, for administrators of the account', async () => {
  const { id } = await register(service, 'pages');
  for (const name of ['a', 'b', 'c']) await service.as('pages').patch(`/v1/webhooks/${id}`, { name }).expect(200);
  expect((await auditOf('pages', id, '?sort=-id&per_page=2&fields=action')).map((line) => Object.keys(line))).toEqual([
    ['id', 'action'],
    ['id', 'action'],
  ]);
  expect((await auditOf('pages', id, '?action=created')).map((line) => line.id)).toEqual([1]);
  const path = `/v1/webhooks/${id}/audit`;
  await service.as('other').get(path).expect(404, { message: 'Not Found' });
  await service
    .as('pages', { accounts: { pages: ['specialist'] } })
    .get(path)
    .expect(403);
  await service
    .as('pages', { scopes: [{ effect: 'allow', actions: ['request:*'] }] })
    .get(path)
    .expect(403);
  await service.as('pages').post(path).expect(405).expect('Allow', 'GET, HEAD');
  await service.as('pages').delete(`/v1/webhooks/${id}`).expect(204);
  await service.as('pages').get(path).expect(404);
});

test('changes at the same time are each a line of their own', async () => {
  const { id } = await activeWebhook(service, 'busy');
  service.pass(day);
  const changes = [{ name: 'n' }, { description: 'd' }, { source: 's' }, { sourceID: 'i' }];
  await Promise.all(changes.map((change) => service.as('busy').patch(`/v1/webhooks/${id}`, change).expect(200)));
  const fields = (await auditOf('busy', id)).slice(-4).flatMap((line) => line.changes as { field: string }[]);
  expect(fields.map(({ field }) => field).sort()).toEqual(['description', 'name', 'source', 'sourceID']);
  const created = bodyOf(await service.as('busy').get(`/v1/webhooks/${id}/audit?per_page=1`).expect(200));
  expect(created).toMatchObject([{ action: 'created' }]);
});
