import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { sealedRequest } from '@itsm/shared/contracts/deliveries';
import { deliveryKey, startEngines, startService } from '../testing/start';
import type { Engines, Requested, Service } from '../testing/start';
import { activeWebhook, bodyOf, input, recordEvent, register, show } from '../testing/webhook-steps';

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
const sealer = createSealer([deliveryKey]);
const signingIn = ({ sealed, deliveryId }: Requested) =>
  sealedRequest.parse(JSON.parse(sealer.open(sealed, deliveryId))).signing;

async function newPolicy(account: string, more: object = {}): Promise<number> {
  return bodyOf(
    await service
      .as(account)
      .post('/v1/webhook_policies', { name: 'p', ...more })
      .expect(201),
  ).id;
}

test('every call of a webhook with a policy is to be signed: the request for proof, tests, events', async () => {
  const policyId = await newPolicy('wdc');
  const webhook = await activeWebhook(service, 'wdc', { webhook_policy_id: policyId, openid_connect_discovery: true });
  expect(webhook).toMatchObject({ webhook_policy: { id: policyId, name: 'p' }, openid_connect_discovery: true });
  await service.as('wdc').post(`/v1/webhooks/${webhook.id}/test`).expect(204);
  await recordEvent(service, 'wdc');
  const deliveries = await service.deliveriesOf(webhook.id, 3);
  expect(deliveries.map(({ event }) => event)).toEqual(['webhook.verify', 'request.create', 'request.create']);
  for (const delivery of deliveries) {
    expect(signingIn(delivery)).toEqual({ policyId, discovery: true });
    expect(delivery.text).toContain('"object_nodeID":');
    expect(delivery.body['openid_connect_discovery']).toBe(true);
  }
});

test('without discovery the request has no issuer, and without a policy nothing is signed', async () => {
  const policyId = await newPolicy('wdc');
  const { id } = await activeWebhook(service, 'wdc', { webhook_policy_id: policyId });
  const [signed] = await service.deliveriesOf(id);
  expect(signingIn(signed!)).toEqual({ policyId, discovery: false });
  expect(signed?.body).not.toHaveProperty('openid_connect_discovery');
  const changed = await service.as('wdc').patch(`/v1/webhooks/${id}`, { webhook_policy_id: null }).expect(200);
  expect(changed.body).toMatchObject({ webhook_policy: null, openid_connect_discovery: false, state: 'active' });
  await recordEvent(service, 'wdc');
  expect(signingIn((await service.deliveriesOf(id, 2))[1]!)).toBeUndefined();
});

test('a webhook is refused a policy that cannot sign for it', async () => {
  const mine = await newPolicy('wdc');
  const others = await newPolicy('acme');
  const disabled = await newPolicy('wdc', { name: 'off', disabled: true });
  const secret = await newPolicy('wdc', { name: 'secret', jwt_alg: 'hs256' });
  const needsPair = ['openid_connect_discovery', 'OpenID Connect Discovery needs a signing policy with a key pair'];
  const { id } = await register(service, 'wdc', { webhook_policy_id: mine });
  for (const [members, error] of [
    [{ webhook_policy_id: 99 }, ['webhook_policy_id', 'Signing policy was not found']],
    [{ webhook_policy_id: others }, ['webhook_policy_id', 'Signing policy was not found']],
    [{ webhook_policy_id: disabled }, ['webhook_policy_id', 'Signing policy is disabled']],
    [{ webhook_policy_id: 'p' }, ['webhook_policy_id', 'Signing policy was not found']],
    [{ webhook_policy_id: secret, openid_connect_discovery: true }, needsPair],
    [{ webhook_policy_id: null, openid_connect_discovery: true }, needsPair],
    [
      { openid_connect_discovery: 'yes' },
      ['openid_connect_discovery', 'OpenID Connect Discovery is not true or false'],
    ],
  ] as const) {
    await service
      .as('wdc')
      .post('/v1/webhooks', { ...input, ...members })
      .expect(422, invalid(error));
    await service.as('wdc').patch(`/v1/webhooks/${id}`, members).expect(422, invalid(error));
  }
  expect(await show(service, 'wdc', id)).toMatchObject({ webhook_policy: { id: mine } });
});

test('a webhook keeps a policy that is disabled later, and can be changed all the same', async () => {
  const policyId = await newPolicy('wdc');
  const { id } = await register(service, 'wdc', { webhook_policy_id: policyId });
  await service.as('wdc').patch(`/v1/webhook_policies/${policyId}`, { disabled: true }).expect(200);
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { name: 'Other' }).expect(200);
  expect(await show(service, 'wdc', id)).toMatchObject({ name: 'Other', webhook_policy: { id: policyId } });
  const found = await service.as('wdc').get(`/v1/webhooks?webhook_policy_id=${policyId}`).expect(200);
  expect(found.body).toMatchObject([{ id }]);
});
