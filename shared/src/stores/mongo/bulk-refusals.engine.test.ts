import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '../../testing/connect-patiently';
import { bulkRefusals, duplicatesIn } from './bulk-refusals';

test('a write whose write concern failed counts as failed, even beside a duplicate key', async () => {
  const mongo = await startEmbeddedMongo();
  const connection = await connectPatiently(mongo.urlOf('refusals'));
  const tickets = connection.collection<{ _id: number }>('tickets');
  await tickets.insertOne({ _id: 1 });
  const insert = (ids: number[], writeConcern: object) =>
    tickets
      .insertMany(
        ids.map((_id) => ({ _id })),
        { ordered: false, writeConcern },
      )
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  const duplicate = await insert([1, 2], { w: 'majority', j: true });
  expect([...(bulkRefusals(duplicate)?.keys() ?? [])]).toEqual([0]);
  expect(duplicatesIn(duplicate)).toEqual([0]);
  // More nodes than exist, so the write concern fails.
  const undecided = await insert([1, 3], { w: 40, wtimeout: 100 });
  expect(undecided).toMatchObject({ writeErrors: expect.anything() as unknown });
  expect(bulkRefusals(undecided)).toBeUndefined();
  expect(() => duplicatesIn(undecided)).toThrow();
  // Without other errors the reason is here, where `isOutage` looks.
  expect(await insert([4], { w: 40, wtimeout: 100 })).toHaveProperty('code', 100);
  await connection.close();
  await mongo.close();
});
