import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { partsOf } from '@itsm/shared/base/texts/words';
import type { Connection } from 'mongoose';
import { request } from '../record-types/request';
import { dying, intercepted } from '../testing/intercepted';
import type { End } from '../testing/intercepted';
import { recordOf } from '../testing/sample-documents';
import { upgradeRecords } from './record-upgrade';
import { toDocument } from './record.document';
import { createRecordRepository } from './record.repository';
import { createTrailRepository } from './trail.repository';
import type { TrailRepository } from './trail.repository';

let mongo: EmbeddedMongo;
let connection: Connection;
beforeEach(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('upgrade'));
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

describe('words of titles that an earlier release wrote in another way', () => {
  const [all, pageSize] = [2_300, 1_000];
  const old = ['former'];
  const records = () => connection.collection<{ _id: number; words: string[] }>(request.plural);
  const progress = () =>
    connection.collection<{ _id: string; after: number | null }>('upgrades').findOne({ _id: /words/ } as object);

  beforeEach(async () => {
    const documents = Array.from({ length: all }, (_none, n) => toDocument(request, recordOf(request, n + 1)));
    // A few have the right ones already.
    const stored = documents.map((document, n) => (n % 100 === 0 ? document : { ...document, words: old }));
    await records().insertMany(stored);
  });

  async function expectWritten(ids: object = {}): Promise<void> {
    expect(await records().countDocuments({ ...ids, words: 'former' })).toBe(0);
    for await (const { _id, words } of records().find(ids))
      expect(words).toEqual(toDocument(request, recordOf(request, _id)).words);
  }

  test('are written again, once', async () => {
    await upgrade();
    await expectWritten();
    expect(await progress()).toMatchObject({ after: null });
    await records().updateOne({ _id: 7 }, { $set: { words: old } });
    await upgrade();
    expect(await records().countDocuments({ words: 'former' })).toBe(1);
  });

  // The first write notes that trails are moved; two follow for each page.
  test.each<[string, number, End, number | undefined]>([
    ['before the first page', 1, 'lost', undefined],
    ['within the second page', 3, 'in part', pageSize],
    ['after the second page, before it is noted', 4, 'lost', pageSize],
    ['after the second page, when it is noted', 4, 'unanswered', 2 * pageSize],
  ])('are written from there on when a process has ended %s', async (_when, last, end, after) => {
    const ending = upgradeRecords(dying(connection, last, end), request, createTrailRepository(connection));
    await expect(ending).rejects.toThrow('The process has ended');
    expect((await progress())?.after).toBe(after);
    const done = { _id: { $lte: after ?? 0 } };
    await expectWritten(done);
    // Nobody looks at these again.
    await records().updateMany(done, { $set: { words: old } });
    await upgrade();
    await expectWritten({ _id: { $gt: after ?? 0 } });
    expect(await records().countDocuments({ words: 'former' })).toBe(after ?? 0);
  });

  test('stay as a change has written them meanwhile', async () => {
    const repository = createRecordRepository(connection, request);
    const before = recordOf(request, 5);
    const after = { ...before, version: 2, values: { ...before.values, subject: 'Another title' } };
    const busy = intercepted(connection, async (parameters, send) => {
      // The page has been read.
      if (Array.isArray(parameters[0])) await repository.replace(before, after, []);
      return send(...parameters);
    });
    await upgradeRecords(busy, request, createTrailRepository(connection));
    expect((await records().findOne({ _id: 5 }))?.words).toEqual(partsOf('Another title'));
    expect(await records().countDocuments({ words: 'former' })).toBe(0);
  });
});
