import { answer, startPlatform } from './testing/platform';
import type { Platform } from './testing/platform';
import { explainDelivery, listDeliveries, redeliverDelivery } from './commands';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const all = { webhook: undefined, state: undefined, limit: 50 };

test('the operator lists, explains and redelivers what an account has, and sees no secret', async () => {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 410 : 200)(res));
  const service = await platform.start();
  const { operator } = service.app;
  const { deliveryId: id } = await service.request(receiver.uri.replace('//', '//user:c4nary@'));
  await service.settled(id);

  const list = await listDeliveries(operator, 'wdc', all);
  expect(list).toContain(`${id}  webhook 7  request.create  failed`);
  expect(await listDeliveries(operator, 'wdc', { ...all, state: 'delivered' })).toBe('There are no such deliveries');
  expect(await listDeliveries(operator, 'acme', all)).toBe('There are no such deliveries');

  const explained = await explainDelivery(operator, 'wdc', id);
  expect(explained).toContain("The receiver answered 410: it wants no more calls; the fault is the receiver's");
  expect(explained).toContain('It is failed');
  await expect(explainDelivery(operator, 'acme', id)).rejects.toThrow('There is no delivery');

  const said = await redeliverDelivery(operator, 'wdc', [id, 'nonsense']);
  const [, redelivery = ''] = /redelivered as (\S+)/.exec(said) ?? [];
  expect(said).toContain('nonsense  refused: Not Found');
  expect(await service.settled(redelivery)).toMatchObject({ state: 'delivered', origin: id });
  expect(list + explained + said).not.toContain('c4nary');
});
