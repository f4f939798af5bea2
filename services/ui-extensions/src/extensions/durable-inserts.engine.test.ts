import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { askForTooManyNodes } from '@itsm/shared/testing/too-few-nodes';
import type { AuditLine } from './audit-line';
import { createAuditLineRepository } from './audit-line.repository';

const lineOf = (id: number): AuditLine => ({
  id,
  extensionId: 5,
  version: null,
  action: 'updated',
  changes: [],
  author: null,
  createdAt: new Date(0),
});

test('a batch with known audit lines is accepted only when a majority has the new ones', async () => {
  const mongo = await startEmbeddedMongo();
  const connection = await connectPatiently(mongo.urlOf('durable'));
  const lines = createAuditLineRepository(connection);
  await lines.put('wdc', [lineOf(1)]);
  await lines.put('wdc', [lineOf(1), lineOf(2)]);
  askForTooManyNodes(connection, 'audit_lines');
  await expect(lines.put('wdc', [lineOf(2), lineOf(3)])).rejects.toHaveProperty('writeErrors');
  await connection.close();
  await mongo.close();
});
