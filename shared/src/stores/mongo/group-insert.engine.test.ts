import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { askForTooManyNodes } from '../../testing/too-few-nodes';
import { connectMongo } from './connect-mongo';
import { createGroupInsert } from './group-insert';

test('a command that too few nodes have fails for each caller, also for the one whose document is there already', async () => {
  const mongo = await startEmbeddedMongo();
  const connection = await connectMongo(mongo.urlOf('group'));
  const tickets = connection.collection<{ readonly _id: number }>('tickets');
  await tickets.insertOne({ _id: 1 });
  askForTooManyNodes(connection, 'tickets');
  const insert = createGroupInsert(tickets);
  const outcomes = await Promise.allSettled([0, 1, 2].map((_id) => insert({ _id })));
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  expect(reasons).toHaveLength(3);
  // The first went alone, the others together: both have the error of their command, and no duplicate to rely on.
  expect(reasons[0]).toHaveProperty('code', 100);
  expect(reasons[1]).toHaveProperty('writeErrors');
  expect(reasons[2]).toBe(reasons[1]);
  expect(await tickets.countDocuments()).toBe(3);
  await connection.close();
  await mongo.close();
});
