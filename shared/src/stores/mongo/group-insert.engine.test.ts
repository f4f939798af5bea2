import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { askForTooManyNodes } from '../../testing/too-few-nodes';
import { connectPatiently } from '../../testing/connect-patiently';
import { createGroupInsert } from './group-insert';

test('a failed write concern rejects for each caller, including one with a duplicate', async () => {
  const mongo = await startEmbeddedMongo();
  const connection = await connectPatiently(mongo.urlOf('group'));
  const tickets = connection.collection<{ readonly _id: number }>('tickets');
  await tickets.insertOne({ _id: 1 });
  askForTooManyNodes(connection, 'tickets');
  const insert = createGroupInsert(tickets);
  const outcomes = await Promise.allSettled([0, 1, 2].map((_id) => insert({ _id })));
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  expect(reasons).toHaveLength(3);
  // The first insert was sent alone, the others together. All have the write concern error, and no duplicate to rely
  // on.
  expect(reasons[0]).toHaveProperty('code', 100);
  expect(reasons[1]).toHaveProperty('writeErrors');
  expect(reasons[2]).toBe(reasons[1]);
  expect(await tickets.countDocuments()).toBe(3);
  await connection.close();
  await mongo.close();
});
