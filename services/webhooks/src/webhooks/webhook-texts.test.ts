import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { bodyOf, register, show } from '../testing/webhook-steps';

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

const invalid = (...errors: readonly unknown[]) => ({ message: 'Validation Failed', errors });

test('texts are accepted for numbers, booleans and null, and stay texts in text members', async () => {
  const policy = bodyOf(await service.as('wdc').post('/v1/webhook_policies', {}).expect(201));
  const signed = { webhook_policy_id: String(policy.id), openid_connect_discovery: 'true' };
  const written = {
    name: '5',
    description: 'true',
    disabled: 'true',
    mail_exceptions_to: '',
    source: '',
    sourceID: '7',
  };
  const { id } = await register(service, 'wdc', { ...signed, ...written });
  expect(await show(service, 'wdc', id)).toMatchObject({
    webhook_policy: { id: policy.id },
    openid_connect_discovery: true,
    disabled: true,
    name: '5',
    description: 'true',
    mail_exceptions_to: null,
    source: null,
    sourceID: '7',
  });
  const path = `/v1/webhooks/${id}`;
  const emptied = { webhook_policy_id: '', openid_connect_discovery: 'false', disabled: 'false', description: '' };
  expect(bodyOf(await service.as('wdc').patch(path, emptied).expect(200))).toMatchObject({
    webhook_policy: null,
    openid_connect_discovery: false,
    disabled: false,
    description: null,
  });
  await service
    .as('wdc')
    .patch(path, { disabled: 'yes', webhook_policy_id: 'x', name: '' })
    .expect(
      422,
      invalid(
        ['name', 'Name is required'],
        ['disabled', 'Disabled is not true or false'],
        ['webhook_policy_id', 'Signing policy was not found'],
      ),
    );
});
