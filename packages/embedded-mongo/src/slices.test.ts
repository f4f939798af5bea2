import type { Collection, Document } from 'mongodb';
import { useServer } from './test-server';

const server = useServer();
const most = 30_000;

/** A collection with `most` records, whose negated conditions no index answers. */
async function filled(): Promise<Collection> {
  const records = server.database().collection('records');
  const documents: Document[] = Array.from({ length: most }, (_none, n) => ({
    n,
    subject: `Printer ${n}`,
    kind: n % 3,
  }));
  await records.insertMany(documents);
  return records;
}

const others = { subject: { $ne: 'Printer 7' } };

const scans: readonly (readonly [name: string, scan: (records: Collection) => Promise<unknown>, result: unknown])[] = [
  ['a count', (records) => records.countDocuments(others), most - 1],
  ['a count by the old command', (records) => records.count(others), most - 1],
  [
    'a page in an order without an index',
    async (records) => {
      const found = await records.find(others).sort({ subject: -1 }).limit(1).toArray();
      return found.map(({ n }) => n as number);
    },
    [9_999],
  ],
  ['a search without a match', (records) => records.find({ subject: /nothing/ }).toArray(), []],
  [
    'a group',
    async (records) => {
      const groups = await records
        .aggregate([{ $match: others }, { $group: { _id: '$x', most: { $max: '$n' } } }])
        .toArray();
      return groups.map((group) => group['most'] as number);
    },
    [most - 1],
  ],
  ['distinct values', async (records) => (await records.distinct('kind', others)).length, 3],
];

test.each(scans)(
  'a call that was sent later is answered before %s has looked at everything',
  async (_name, scan, result) => {
    const records = await filled();
    // Both connections are open, so that the scan is read first.
    await Promise.all([records.findOne({}), records.findOne({})]);
    const answered: string[] = [];
    const [scanned] = await Promise.all([
      scan(records).finally(() => answered.push('scan')),
      records.findOne({ n: 0 }).finally(() => answered.push('small')),
    ]);
    expect(scanned).toEqual(result);
    expect(answered).toEqual(['small', 'scan']);
  },
);

test('records that change between slices are counted as they are when the scan comes to them, and none twice', async () => {
  const records = await filled();
  await Promise.all([records.findOne({}), records.findOne({})]);
  const [count] = await Promise.all([
    records.countDocuments(others),
    records.updateOne({ n: 0 }, { $set: { subject: 'Printer 7' } }),
    records.deleteOne({ n: most - 1 }),
  ]);
  expect([most - 3, most - 2, most - 1]).toContain(count);
  expect(await records.countDocuments(others)).toBe(most - 3);
});

test('an update of many is one step: no read that begins beside it sees half of it', async () => {
  const records = await filled();
  await Promise.all([records.findOne({}), records.findOne({})]);
  const counted = await Promise.all([
    records.updateMany({}, { $set: { done: true } }),
    ...Array.from({ length: 5 }, () => records.countDocuments({ done: true }, { limit: most })),
  ]);
  for (const count of counted.slice(1)) expect([0, most]).toContain(count);
});
