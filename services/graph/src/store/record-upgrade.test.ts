import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import type { Connection } from 'mongoose';
import { request } from '../record-types/request';
import { recordOf } from '../testing/sample-documents';
import { upgradeRecords } from './record-upgrade';
import { toDocument } from './record.document';
import { createTrailRepository } from './trail.repository';
import type { TrailRepository } from './trail.repository';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeEach(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectMongo(mongo.urlOf('upgrade'));
});
afterEach(async () => {
  await connection.close();
  await mongo.close();
});

/** A record of the version that embedded notes and audit lines. Its number is even; odd ones have the present form. */
const oldRecord = (n: number): object => {
  const { owners: _owners, words: _words, ...document } = toDocument(request, recordOf(request, 2 * n));
  const entry = { at: new Date(0), person: null };
  const line = { ...entry, action: 'create', changes: [] };
  return {
    ...document,
    version: 2,
    notes: [{ ...entry, id: 10_000 + n, text: `${n}` }],
    auditLines: [
      { ...line, id: 20_000 + 2 * n },
      { ...line, id: 20_001 + 2 * n },
    ],
  };
};

async function store(count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  const present = numbers.map((n) => toDocument(request, recordOf(request, 2 * n + 1)));
  await connection.collection(request.plural).insertMany([...numbers.map(oldRecord), ...present]);
}

const upgrade = (trails: TrailRepository = createTrailRepository(connection)) =>
  upgradeRecords(connection, request, trails);

async function expectUpgraded(count: number): Promise<void> {
  const records = connection.collection(request.plural);
  expect(await records.countDocuments({ words: 'printer', owners: { $exists: true } })).toBe(2 * count);
  expect(await records.countDocuments({ $or: [{ notes: { $exists: true } }, { auditLines: { $exists: true } }] })).toBe(
    0,
  );
  expect(await connection.collection('notes').distinct('recordId')).toHaveLength(count);
  expect(await connection.collection('notes').countDocuments()).toBe(count);
  for (const version of [1, 2])
    expect(await connection.collection('audit_lines').countDocuments({ version })).toBe(count);
}

test.each([100, 101, 230])('%i records of an earlier version are upgraded', async (count) => {
  await store(count);
  await upgrade();
  await expectUpgraded(count);
});

test('an interrupted upgrade is finished by the next one', async () => {
  await store(230);
  const trails = createTrailRepository(connection);
  let kept = 0;
  const failing = upgrade({
    ...trails,
    async keep(those) {
      kept += 1;
      // Its trails exist already when the record is upgraded again.
      await trails.keep(those);
      if (kept === 150) throw new Error('The process ends here');
    },
  });
  await expect(failing).rejects.toThrow('The process ends here');
  expect(await connection.collection(request.plural).countDocuments({ notes: { $exists: true } })).toBe(81);
  await upgrade();
  await expectUpgraded(230);
});
