import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { input, register } from '../testing/webhook-steps';

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

test('an account has at most 1,000 webhooks, and deleted ones do not count', async () => {
  const { id } = await register(service, 'wdc');
  const webhooks = service.connection.collection<{ _id: number }>('webhooks');
  const first = await webhooks.findOne({ _id: id });
  await webhooks.insertMany(Array.from({ length: 999 }, (_, n) => ({ ...first, _id: id + 1_000 + n })));
  const tooMany = { message: 'Validation Failed', errors: [['event', 'An account has at most 1,000 webhooks']] };
  await service.as('wdc').post('/v1/webhooks', input).expect(422, tooMany);
  await register(service, 'acme');
  await service.as('wdc').delete(`/v1/webhooks/${id}`).expect(204);
  await register(service, 'wdc');
});
