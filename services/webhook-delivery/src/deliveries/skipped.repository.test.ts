import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { SkippedRedelivered } from '@itsm/shared/contracts/deliveries';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import type { Connection } from 'mongoose';
import { deliveryOf } from '../testing/repository-calls';
import type { Delivery } from './delivery';
import { createDeliveryRepository } from './delivery.repository';
import { createSkippedRepository } from './skipped.repository';
import type { SkippedRepository } from './skipped.repository';

const count = 230;
const start = Date.UTC(2026, 0, 1);
const message: SkippedRedelivered = {
  redeliveryId: 'r',
  accountId: 'wdc',
  webhookId: 7,
  at: new Date(start).toISOString(),
  sealed: 's',
  from: new Date(start).toISOString(),
  until: new Date(start + 86_400_000).toISOString(),
};

let mongo: EmbeddedMongo;
let connection: Connection;
let skipped: SkippedRepository;
beforeEach(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('skipped'));
  skipped = createSkippedRepository(connection);
  await skipped.ensureIndexes();
});
afterEach(async () => {
  await connection.close();
  await mongo.close();
});

/** Stores skipped deliveries of the webhook in shuffled order, among other deliveries; returns their ids, oldest first. */
async function store(minuteOf: (n: number) => number): Promise<string[]> {
  const all = Array.from({ length: count }, (_, n): Delivery => {
    const requestedAt = new Date(start + minuteOf(n) * 60_000);
    return { ...deliveryOf(0), id: `delivery ${1_000 + n}`, webhookId: 7, state: 'skipped', requestedAt };
  });
  const others = all.map((delivery): Delivery => ({ ...delivery, id: `${delivery.id} made`, state: 'delivered' }));
  const shuffled = [...all, ...others].sort((a, b) => scattered(a.id) - scattered(b.id));
  await createDeliveryRepository(connection).insert(shuffled);
  return all.map(({ id }) => id);
}

const scattered = (id: string): number => (Number(id.split(' ')[1]) * 7_919) % 1_009;

async function read(each: (delivery: Delivery) => Promise<void> = () => Promise.resolve()): Promise<string[]> {
  const found: string[] = [];
  for await (const delivery of skipped.select(message)) {
    found.push(delivery.id);
    // Ends a cursor that would loop forever.
    if (found.length > count) break;
    await each(delivery);
  }
  return found;
}

test.each<[string, (n: number) => number]>([
  ['of the same time', () => 5],
  ['of a time each', (n) => n],
  ['of the same time at the end of a page and the beginning of the next one', (n) => Math.floor((n + 4) / 8)],
  ['of another time from the beginning of a page on', (n) => Math.floor(n / 100)],
])('skipped deliveries %s are found once each, oldest first', async (_what, minuteOf) => {
  const ids = await store(minuteOf);
  expect(await read()).toEqual(ids);
});

test('deliveries that are released during the iteration are found once each', async () => {
  const ids = await store((n) => Math.floor((n + 4) / 8));
  const [at, host] = [new Date(start + 3_600_000), 'receiver.example:443'];
  expect(await read((delivery) => skipped.release(delivery, { sealed: 's', host }, at, at))).toEqual(ids);
  expect(await read()).toEqual([]);
});
