import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { askForTooManyNodes } from '@itsm/shared/testing/too-few-nodes';
import type { Connection } from 'mongoose';
import { request } from '../record-types/request';
import { account, recordOf } from '../testing/sample-documents';
import { createRecordRepository } from './record.repository';
import { createTrailRepository } from './trail.repository';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('durable'));
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

const about = { accountId: account, recordType: 'request', recordId: 5, at: new Date(0), person: null };
const noteOf = (id: number) => ({
  note: { ...about, id, text: `Note ${id}`, internal: false, attachments: [], mentions: [] },
  auditLine: undefined,
});

test('a partial duplicate of trails is acknowledged only when a quorum has the others', async () => {
  const trails = createTrailRepository(connection);
  await trails.keep([noteOf(1)]);
  await trails.keep([noteOf(1), noteOf(2)]);
  askForTooManyNodes(connection, 'notes');
  await expect(trails.keep([noteOf(2), noteOf(3)])).rejects.toHaveProperty('writeErrors');
  await expect(trails.keep([noteOf(4)])).rejects.toHaveProperty('code', 100);
});

test('a duplicate source is not reported when the write concern of the other records failed', async () => {
  const records = createRecordRepository(connection, request);
  await records.ensureIndexes();
  const of = (id: number) => ({ ...recordOf(request, 7), id });
  expect(await records.insertMany([of(1)])).toEqual(['written']);
  expect(await records.insertMany([of(2)])).toEqual(['taken']);
  askForTooManyNodes(connection, request.plural);
  await expect(records.insertMany([of(3), { ...recordOf(request, 8), id: 8 }])).rejects.toHaveProperty('writeErrors');
});
