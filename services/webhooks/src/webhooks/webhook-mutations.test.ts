import { accountUrl, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, bodyOf, input, open, recordEvent, register, show } from '../testing/webhook-steps';

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

const fields = 'id name event uri state disabled mailExceptionsTo openidConnectDiscovery webhookPolicy { name }';

async function mutate(account: string, name: string, given: object, more = '', claims: object = {}) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const inputType = /Create|Update$|Redeliver/.test(name) ? `${type}Input` : 'WebhookIdInput';
  const query = `mutation ($input: ${inputType}!) {
    ${name}(input: $input) { webhook { ${fields} } ${more} errors { message path } clientMutationId } }`;
  const answer = await service.as(account, claims).graphql(query, { input: given });
  const { data, errors } = bodyOf(answer) as unknown as {
    data?: Record<string, Record<string, unknown>>;
    errors?: { message: string; extensions: { code: string } }[];
  };
  return { payload: data?.[name], errors };
}

test('webhookCreate registers as REST does', async () => {
  const given = { ...input, mailExceptionsTo: 'ops@wdc.example', name: null, clientMutationId: 'c-1' };
  const { payload } = await mutate('wdc', 'webhookCreate', given);
  expect(payload).toMatchObject({
    webhook: { name: 'request.create', state: 'unverified', mailExceptionsTo: 'ops@wdc.example', webhookPolicy: null },
    errors: [],
    clientMutationId: 'c-1',
  });
  const id = Number(
    Buffer.from(String((payload?.['webhook'] as { id: string }).id), 'base64url')
      .toString()
      .split('/')[2],
  );
  expect(await service.deliveriesOf(id)).toMatchObject([{ event: 'webhook.verify' }]);
});

test('refusals name members as GraphQL does', async () => {
  const given = { ...input, uri: 'http://x', mailExceptionsTo: 'nobody' };
  const { payload } = await mutate('wdc', 'webhookCreate', given);
  expect(payload).toMatchObject({
    webhook: null,
    errors: [{ message: 'Address is not a valid https address', path: ['uri'] }, { path: ['mailExceptionsTo'] }],
  });
  const { errors } = await mutate('wdc', 'webhookCreate', { ...input, event: 'webhook.verify' });
  expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  const policy = await mutate('wdc', 'webhookCreate', { ...input, webhookPolicyId: 'x' });
  expect(policy.payload).toMatchObject({ webhook: null, errors: [{ path: ['webhookPolicyId'] }] });
});

test('webhookUpdate changes, disables and enables; webhookDelete deletes', async () => {
  const { id, nodeID } = await activeWebhook(service, 'up');
  const changed = await mutate('up', 'webhookUpdate', { id: nodeID, name: 'Renamed', disabled: true });
  expect(changed.payload).toMatchObject({ webhook: { name: 'Renamed', state: 'disabled' } });
  const enabled = await mutate('up', 'webhookUpdate', { id: nodeID, disabled: false, uri: null });
  expect(enabled.payload).toMatchObject({ webhook: { name: 'Renamed', state: 'active', uri: input.uri } });
  const deleted = await mutate('up', 'webhookDelete', { id: nodeID }, 'deletedId');
  expect(deleted.payload).toMatchObject({ deletedId: nodeID, errors: [] });
  await service.as('up').get(`/v1/webhooks/${id}`).expect(404);
});

test('webhookTest and webhookVerify send what REST sends', async () => {
  const { id, nodeID } = await register(service, 'send');
  expect((await mutate('send', 'webhookTest', { id: nodeID })).payload).toMatchObject({ errors: [] });
  expect((await mutate('send', 'webhookVerify', { id: nodeID })).payload).toMatchObject({ errors: [] });
  const sent = await service.deliveriesOf(id, 3);
  expect(sent.map(({ event, test }) => [event, test]).sort()).toEqual([
    ['request.create', true],
    ['webhook.verify', false],
    ['webhook.verify', false],
  ]);
  service.pass(24 * 60 * 60 * 1_000);
  const late = await mutate('send', 'webhookVerify', { id: nodeID });
  expect(late.errors?.[0]?.message).toMatch(/^Only within 24 hours/);
});

const asks = `query ($id: ID!, $event: String!) { webhook(id: $id) {
  consecutiveFailures failingSince wouldBeDisabledAt warningPercent
  auditLines(first: 1) { totalCount nodes { id action personID personName createdAt changes { field from to } } pageInfo { hasNextPage } }
  explain(eventId: $event) { verdict reason visible event eventMatches stateThen state verified deliveryId attempts nextAttemptAt }
  skipped { count firstSkippedAt examples { eventId objectId reason skippedAt } } } }`;

test('audit, explanation and what was skipped are fields of the webhook; webhookRedeliverSkipped has it delivered', async () => {
  const { id, nodeID } = await activeWebhook(service, 'ask');
  await service.as('ask').patch(`/v1/webhooks/${id}`, { disabled: true }).expect(200);
  const { eventId: event } = await recordEvent(service, 'ask');
  const answer = await service.as('ask').graphql(asks, { id: nodeID, event });
  expect(answer.body).toMatchObject({
    data: {
      webhook: {
        consecutiveFailures: 0,
        failingSince: null,
        auditLines: {
          totalCount: 3,
          nodes: [
            {
              id: Buffer.from(`service.example/WebhookAuditLine/${id}-1`).toString('base64url'),
              action: 'created',
              personName: 'Ada Administrator',
              changes: expect.arrayContaining([{ field: 'disabled', from: null, to: 'false' }]) as object,
            },
          ],
          pageInfo: { hasNextPage: true },
        },
        explain: { verdict: 'skipped', visible: true, stateThen: 'disabled', state: 'disabled', attempts: 0 },
        skipped: { count: 1, examples: [{ eventId: event, objectId: 70_451, reason: 'disabled' }] },
      },
    },
  });
  const refused = await mutate('ask', 'webhookRedeliverSkipped', { id: nodeID });
  expect(refused.errors?.[0]?.message).toMatch(/must be verified and enabled/);
  await mutate('ask', 'webhookUpdate', { id: nodeID, disabled: false });
  const { payload } = await mutate('ask', 'webhookRedeliverSkipped', { id: nodeID }, 'skipped { count }');
  expect(payload).toMatchObject({ skipped: { count: 1 } });
});

test('webhookPage makes a link to the page', async () => {
  const { id, nodeID } = await register(service, 'page');
  const { payload } = await mutate('page', 'webhookPage', { id: nodeID }, 'url expiresAt');
  expect(payload).toMatchObject({ webhook: { id: nodeID }, expiresAt: '2026-03-19T20:04:06Z', errors: [] });
  const url = String(payload?.['url']);
  expect(url).toMatch(`${accountUrl('page')}/webhooks/${id}/page?token=`);
  await open(service, url).expect(200);
});

test('a mutation without the scope to read returns nothing of what happened to the webhook', async () => {
  const { nodeID } = await activeWebhook(service, 'blind');
  const claims = { scopes: [{ effect: 'allow' as const, actions: ['webhook:Update'] }] };
  for (const field of [
    'explain(eventId: "x") { verdict }',
    'skipped { count }',
    'auditLines(first: 1) { totalCount }',
  ]) {
    const query = `mutation ($id: ID!) { webhookUpdate(input: { id: $id }) { webhook { id ${field} } } }`;
    const { body } = await service.as('blind', claims).graphql(query, { id: nodeID });
    const nothing = { [field.split('(')[0]?.split(' ')[0] ?? '']: null };
    expect(body).toMatchObject({ data: { webhookUpdate: { webhook: nothing } } });
    expect(body).toMatchObject({ errors: [{ message: 'Missing required scope(s): webhook:Read' }] });
  }
});

test('root connections are filtered and sorted', async () => {
  for (const name of ['b', 'c', 'a']) await register(service, 'sort', { name, disabled: name === 'b' });
  const query = `query ($filter: WebhookFilter, $order: [WebhookOrder!]) {
    webhooks(first: 2, filter: $filter, order: $order) { totalCount nodes { name } pageInfo { hasNextPage endCursor } } }`;
  const names = async (filter: object | null, order: object[] | null) => {
    const { body } = await service.as('sort').graphql(query, { filter, order });
    return body as { data: { webhooks: object } };
  };
  expect((await names(null, [{ field: 'name', direction: 'desc' }])).data.webhooks).toMatchObject({
    totalCount: 3,
    nodes: [{ name: 'c' }, { name: 'b' }],
    pageInfo: { hasNextPage: true },
  });
  expect((await names({ disabled: false, name: { values: ['c', 'b'] } }, null)).data.webhooks).toMatchObject({
    totalCount: 1,
    nodes: [{ name: 'c' }],
  });
  const unverified = { state: { values: ['unverified'] }, event: { values: ['request.create'], negate: true } };
  expect((await names(unverified, null)).data.webhooks).toMatchObject({ totalCount: 0 });
  const since = { createdAt: { greaterThan: service.now().toISOString() } };
  expect((await names(since, null)).data.webhooks).toMatchObject({ totalCount: 0 });
});

test.each(['webhookUpdate', 'webhookDelete', 'webhookTest', 'webhookVerify', 'webhookPage', 'webhookRedeliverSkipped'])(
  '%s finds nothing in another account, and needs role and scope',
  async (name) => {
    const webhook = await activeWebhook(service, 'mine');
    const given = { id: webhook['nodeID'] };
    for (const id of [webhook['nodeID'], 'x', Buffer.from('service.example/Person/1').toString('base64url')])
      expect((await mutate('other', name, { id })).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    const claims = [
      { accounts: { mine: ['specialist'] } },
      { scopes: [{ effect: 'allow', actions: ['webhook:Read', 'webhook:Create'] }] },
    ];
    for (const claim of claims)
      expect((await mutate('mine', name, given, '', claim)).errors).toMatchObject([
        { extensions: { code: 'FORBIDDEN' } },
      ]);
    expect(await show(service, 'mine', webhook.id)).toEqual(webhook);
  },
);
