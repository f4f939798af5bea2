import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { askForTooManyNodes } from '@itsm/shared/testing/too-few-nodes';
import { deliveryOf } from '../testing/repository-calls';
import { deliveriesCollection } from './delivery.document';
import { createDeliveryRepository } from './delivery.repository';

test('a batch with known deliveries is accepted only when a majority has the new ones', async () => {
  const mongo = await startEmbeddedMongo();
  const connection = await connectPatiently(mongo.urlOf('durable'));
  const deliveries = createDeliveryRepository(connection);
  expect(await deliveries.insert([deliveryOf(1)])).toEqual([true]);
  expect(await deliveries.insert([deliveryOf(1), deliveryOf(2)])).toEqual([false, true]);
  askForTooManyNodes(connection, deliveriesCollection);
  await expect(deliveries.insert([deliveryOf(2), deliveryOf(3)])).rejects.toHaveProperty('writeErrors');
  await expect(deliveries.insert([deliveryOf(4)])).rejects.toHaveProperty('code', 100);
  await connection.close();
  await mongo.close();
});
