import { randomUUID } from 'node:crypto';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Connection } from 'mongoose';
import { connectPatiently } from '../../testing/connect-patiently';
import { saveNewer } from './save-newer';
import { createSequence } from './sequence';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf(`d${randomUUID().slice(0, 8)}`));
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

const stored = () => connection.collection<{ _id: number }>('people').find().sort({ _id: 1 }).toArray();

test('the newest version wins, in any order and with redeliveries', async () => {
  const versions = [3, 1, 5, 2, 5, 4];
  const save = (person: { id: number; version: number; name: string }) => saveNewer(connection, 'people', person);
  await Promise.all(versions.map((version) => save({ id: 1, version, name: `v${version}` })));
  expect(await stored()).toEqual([{ _id: 1, version: 5, name: 'v5' }]);
  await save({ id: 1, version: 4, name: 'late' });
  expect(await stored()).toEqual([{ _id: 1, version: 5, name: 'v5' }]);
});

test('a sequence gives every caller a unique, ascending number, per name', async () => {
  const sequence = createSequence(connection);
  const numbers = await Promise.all(Array.from({ length: 100 }, () => sequence.next('request')));
  expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_none, index) => index + 1));
  expect(await sequence.next('team')).toBe(1);
});
