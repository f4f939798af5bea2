import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, bodyOf, register } from '../testing/webhook-steps';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
  await activeWebhook(service, 'wdc', { name: 'active', source: 'CMDB', sourceID: '1' });
  service.pass(60_000);
  await register(service, 'wdc', { name: 'unverified', uri: 'https://other.example/', event: 'task.create' });
  await register(service, 'wdc', { name: 'disabled', disabled: true, event: 'sla.update' });
  await register(service, 'acme', { name: 'foreign' });
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

const list = async (query: string) => {
  const { body } = await service.as('wdc').get(`/v1/webhooks${query}`).expect(200);
  return (body as { name: string }[]).map(({ name }) => name);
};

test.each([
  ['/enabled', ['active', 'unverified']],
  ['/enabled/', ['active', 'unverified']],
  ['/disabled', ['disabled']],
  ['/enabled?state=active', ['active']],
  ['?state=active', ['active']],
  ['?state=!active', ['unverified', 'disabled']],
  ['?event=task.create,sla.update', ['unverified', 'disabled']],
  ['?event=!task.create,sla.update', ['active']],
  ['?disabled=true', ['disabled']],
  ['?source=', ['unverified', 'disabled']],
  ['?source=!', ['active']],
  ['?sourceID=1&source=CMDB', ['active']],
  ['?created_at=>2026-03-18T19:04:30Z', ['unverified', 'disabled']],
  ['?created_at=>=2026-03-18T19:04:00Z<2026-03-18T19:05:00Z', ['active']],
  ['?name=foreign', []],
  ['?id=<=1', ['active']],
])('GET /v1/webhooks%s finds %j', async (query, names) => {
  expect(await list(query)).toEqual(names);
});

test('GraphQL finds the webhooks of a policy, and those without one', async () => {
  const caller = service.as('signed');
  const policyOf = async (name: string) => bodyOf(await caller.post('/v1/webhook_policies', { name }).expect(201));
  const [orders, others] = [await policyOf('orders'), await policyOf('others')];
  await register(service, 'signed', { name: 'a', webhook_policy_id: orders.id });
  await register(service, 'signed', { name: 'b', webhook_policy_id: others.id, uri: 'https://b.example/' });
  await register(service, 'signed', { name: 'c', uri: 'https://c.example/' });
  const query = `query ($filter: WebhookFilter) { webhooks(first: 9, filter: $filter) { nodes { name } totalCount } }`;
  const found = async (webhookPolicy: object, account = 'signed') => {
    const body = bodyOf(await service.as(account).graphql(query, { filter: { webhookPolicy } }));
    const { nodes, totalCount } = (body['data'] as { webhooks: { nodes: { name: string }[]; totalCount: number } })
      .webhooks;
    expect(nodes).toHaveLength(totalCount);
    return nodes.map(({ name }) => name);
  };
  const [a, b] = [orders['nodeID'], others['nodeID']];
  expect(await found({ values: [a] })).toEqual(['a']);
  expect(await found({ values: [a, b] })).toEqual(['a', 'b']);
  expect(await found({ values: [a, null] })).toEqual(['a', 'c']);
  expect(await found({ values: [a], negate: true })).toEqual(['b', 'c']);
  for (const none of ['nonsense', 'x'.repeat(600), '{"$gt":0}']) expect(await found({ values: [none] })).toEqual([]);
  expect(await found({ values: [a] }, 'wdc')).toEqual([]);
  for (const webhookPolicy of [{ values: [{ $gt: 0 }] }, { values: Array.from({ length: 101 }, () => a) }, {}]) {
    const body = bodyOf(await caller.graphql(query, { filter: { webhookPolicy } }));
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  }
});

test('other fields cannot be filtered by', async () => {
  const message = 'Filtering not allowed on fields: uri';
  await service.as('wdc').get('/v1/webhooks?uri=x').expect(400, { message });
  await service.as('wdc').get('/v1/webhooks?disabled=maybe').expect(400);
  await service.as('wdc').post('/v1/webhooks/enabled').expect(405).expect('Allow', 'GET, HEAD');
});

test.each([
  [' a@x.example;b@y.example , ', 'a@x.example, b@y.example'],
  ['', null],
  [null, null],
])('mail_exceptions_to %j is kept as %j', async (given, kept) => {
  const { body } = await service.as('mails').post('/v1/webhooks', {
    event: 'request.create',
    uri: 'https://receiver.example/',
    mail_exceptions_to: given,
  });
  expect(body).toMatchObject({ mail_exceptions_to: kept });
});

test.each([
  ['nobody', 'Recipients of failure mails must be e-mail addresses separated by commas'],
  ['a@x.example, Bob <b@y.example>', 'Recipients of failure mails must be e-mail addresses separated by commas'],
  ['a@x.example\r\nBcc: c@z.example', 'Recipients of failure mails must be e-mail addresses separated by commas'],
  [
    Array.from({ length: 11 }, (_none, at) => `a${at}@x.example`).join(),
    'Recipients of failure mails has more than 10 addresses',
  ],
  ['a'.repeat(1_025), 'Recipients of failure mails is too long (at most 1024 characters)'],
  [7, 'Recipients of failure mails is not a text'],
])('mail_exceptions_to %j is refused', async (given, message) => {
  const answer = await service.as('mails').post('/v1/webhooks', {
    event: 'request.create',
    uri: 'https://receiver.example/',
    mail_exceptions_to: given,
  });
  expect([answer.status, answer.body]).toEqual([
    422,
    { message: 'Validation Failed', errors: [['mail_exceptions_to', message]] },
  ]);
});
