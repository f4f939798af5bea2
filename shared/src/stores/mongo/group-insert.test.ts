import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Connection } from 'mongoose';
import { connectPatiently } from '../../testing/connect-patiently';
import { isDuplicateKey } from './duplicate-key';
import { createGroupInsert } from './group-insert';

interface Ticket {
  readonly _id: number;
}

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('group'), { monitorCommands: true });
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

test('concurrent inserts are written in few commands', async () => {
  const tickets = connection.collection<Ticket>('together');
  let commands = 0;
  connection.getClient().on('commandStarted', ({ commandName }) => {
    if (commandName === 'insert') commands += 1;
  });
  const insert = createGroupInsert(tickets);
  await Promise.all(Array.from({ length: 1_200 }, (_, id) => insert({ _id: id })));
  await insert({ _id: 5_000 });
  expect(await tickets.countDocuments()).toBe(1_201);
  expect(commands).toBe(4);
});

test('a duplicate rejects for its own caller only', async () => {
  const insert = createGroupInsert(connection.collection<Ticket>('duplicates'));
  await insert({ _id: 1 });
  const outcomes = await Promise.allSettled([0, 1, 2, 2, 3].map((_id) => insert({ _id })));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  expect(reasons.map(isDuplicateKey)).toEqual([true, true]);
  expect(await connection.collection('duplicates').countDocuments()).toBe(4);
});

test('all inserts fail when the store is gone, and later ones are sent again', async () => {
  const other = await connectPatiently(mongo.urlOf('gone'));
  const insert = createGroupInsert(other.collection<Ticket>('tickets'));
  await other.close();
  const outcomes = await Promise.allSettled([insert({ _id: 1 }), insert({ _id: 2 })]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(insert({ _id: 3 })).rejects.toThrow();
});
