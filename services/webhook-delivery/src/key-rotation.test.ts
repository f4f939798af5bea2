import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { reseal } from '@itsm/shared/stores/reseal/reseal';
import type { Config } from './config';
import { sealedPlaces } from './sealed-places';
import { answer, body, deliveryKey as oldKey, resultOf, startPlatform } from './testing/platform';
import type { Platform, Service } from './testing/platform';
import { newKey as newSigningKey, requestSigned, savePolicy } from './testing/signing-policies';

const newKey = randomBytes(32);
const keys: Config['deliveryKeys'] = [newKey, oldKey];

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.clear());
afterAll(() => platform.close());

const command = ({ observer: connection }: Service) => {
  const say = (line: string): never => {
    throw new Error(line);
  };
  return reseal({ connection, keys, places: sealedPlaces, say });
};

test('after re-encryption the old key can go: deliveries are opened, redelivered, and signed', async () => {
  const receiver = await platform.receiver((res, call) => answer(call <= 2 ? 410 : 200)(res));
  const service = await platform.start();
  const [waiting, next] = [newSigningKey('es256'), newSigningKey('es256')];
  await savePolicy(service, [
    [waiting, 0],
    [next, 60_000],
  ]);
  const plain = await service.request(receiver.uri);
  const signed = await requestSigned(service, receiver.uri);
  for (const { deliveryId } of [plain, signed])
    expect(await service.settled(deliveryId)).toMatchObject({ state: 'failed' });

  expect(await command(service)).toEqual({ resealed: 4, remaining: new Map() });
  expect(await command(service)).toEqual({ resealed: 0, remaining: new Map() });
  await service.crash();

  const later = await service.another({ deliveryKeys: [newKey] });
  const { redeliveries } = later.app.operator;
  for (const { deliveryId } of [plain, signed]) {
    const { id } = await redeliveries.redeliver('wdc', deliveryId);
    expect(await later.settled(id)).toMatchObject({ state: 'delivered' });
  }
  const [again, jwt] = receiver.calls.slice(2).map((call) => call.body);
  expect(again).toBe(body);
  expect(decodeProtectedHeader((JSON.parse(jwt ?? '') as { jwt: string }).jwt).kid).toBe(waiting.kid);
});

test('a delivery whose next attempt is after the removal of the old key is made', async () => {
  const receiver = await platform.receiver((res, call) => answer(call === 1 ? 500 : 200)(res));
  const service = await platform.start();
  const { deliveryId } = await service.request(receiver.uri);
  await resultOf(service, 1);
  expect(await command(service)).toEqual({ resealed: 1, remaining: new Map() });
  await service.crash();
  const later = await service.another({ deliveryKeys: [newKey] });
  later.pass(60_000);
  expect(await later.settled(deliveryId)).toMatchObject({ state: 'delivered' });
});

test('at each step of a rotation, replicas with either key ring deliver what replicas with the other have sealed', async () => {
  const receiver = await platform.receiver(answer(200));
  const service = await platform.start({ deliveryKeys: [oldKey] });
  const redeliver = async (on: Service, origin: string): Promise<string> => {
    const { id } = await on.app.operator.redeliveries.redeliver('wdc', origin);
    expect(await on.settled(id)).toMatchObject({ state: 'delivered' });
    return id;
  };
  const steps: Config['deliveryKeys'][] = [[oldKey, newKey], keys];
  let before = service;
  for (const deliveryKeys of steps) {
    const after = await service.another({ deliveryKeys });
    for (const sealing of [before, after]) {
      const { deliveryId } = await sealing.request(receiver.uri);
      await sealing.settled(deliveryId);
      let sealed = await redeliver(sealing, deliveryId);
      for (const opening of [before, after]) sealed = await redeliver(opening, sealed);
    }
    await before.crash();
    before = after;
  }
});
