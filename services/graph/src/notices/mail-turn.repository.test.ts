import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import type { Connection } from 'mongoose';
import { createMailTurnRepository } from './mail-turn.repository';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('turns'));
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

const reader = { accountId: 'wdc', personId: 3 };
const [now, later] = [new Date(1_800_000_000_000), new Date(1_800_000_060_000)];
const lease = { owner: 'process', until: later };

test('a turn that a notice has asked for meanwhile does not end with what was looked at before', async () => {
  const turns = createMailTurnRepository(connection);
  await turns.ensureIndexes();
  await turns.arm(reader, now);
  const turn = await turns.claim(now, [], lease);
  if (!turn) throw new Error('Nothing was due');
  // Between the last look for notices and the end of the lease.
  await turns.arm(reader, now);
  expect(await turns.release(turn, undefined)).toBe(false);
  const again = await turns.find(turn);
  if (!again) throw new Error('The lease is lost');
  expect(await turns.release(again, now)).toBe(true);
  expect(await turns.isDue(now, [])).toBe(true);
});
