import { useServer } from './test-server';
import { explain, insertTickets } from './test-tickets';

const { database } = useServer();

const tickets = (count?: number) => insertTickets(database(), count);

test('the planner takes the most selective index, or the one whose order fills the limit sooner', async () => {
  const rows = await tickets(3_000);
  await rows.updateMany({ n: { $gte: 2_990 } }, { $set: { status: 'rare' } });
  await rows.createIndexes([{ key: { account: 1, _id: 1 } }, { key: { account: 1, status: 1 } }, { key: { n: 1 } }]);
  const page = (status: string) => rows.find({ account: 'wdc', status }).sort({ n: -1 }).limit(10);
  expect(await explain(page('open'))).toMatchObject({ indexName: 'n_1', direction: 'backward', nReturned: 10 });
  expect(await explain(page('rare'))).toMatchObject({ indexName: 'account_1_status_1', docsExamined: 5 });
  expect((await page('open').toArray()).map(({ n }) => n).slice(0, 2)).toEqual([2_988, 2_982]);
});

test('the planner uses the more selective of two conditions on an array, and the order of the next field', async () => {
  const rows = await tickets(500);
  await rows.updateMany({}, [{ $set: { tags: ['all', { $concat: ['no', { $toString: '$n' }] }] } }]);
  await rows.createIndex({ tags: 1, _id: 1 });
  for (const $and of [
    [{ tags: 'all' }, { tags: 'no7' }],
    [{ tags: 'no7' }, { tags: 'all' }],
  ]) {
    expect(await explain(rows.find({ $and }).sort({ _id: 1 }))).toMatchObject({ docsExamined: 1, nReturned: 1 });
  }
  const ordered = rows.find({ tags: 'all' }).sort({ _id: -1 }).limit(5);
  expect(await explain(ordered)).toMatchObject({ stages: ['FETCH', 'IXSCAN'], docsExamined: 5 });
  expect((await ordered.toArray()).map(({ _id }) => _id)).toEqual([499, 498, 497, 496, 495]);
  const either = rows
    .find({ tags: { $in: ['all', 'no3', 'no4'] } })
    .sort({ _id: 1 })
    .limit(6);
  expect((await either.toArray()).map(({ _id }) => _id)).toEqual([0, 1, 2, 3, 4, 5]);
  const byList = rows.find({ tags: 'all' }).sort({ tags: 1, _id: 1 }).limit(3);
  expect(await byList.toArray()).toEqual(await byList.clone().hint({ $natural: 1 }).toArray());
});

test('a count over an index equals the count over documents', async () => {
  const rows = await tickets(5_000);
  await rows.createIndex({ account: 1, status: 1, n: 1 });
  for (const filter of [
    { account: 'wdc' },
    { account: 'wdc', status: 'open' },
    { account: { $in: ['wdc', 'acme', 'nobody'] }, status: { $in: ['open', 'closed'] } },
    { account: 'wdc', status: 'open', n: { $gt: 77, $lte: 4_000 } },
    { account: 'wdc', status: { $ne: 'open' } },
  ]) {
    const expected = (await rows.find(filter).hint({ $natural: 1 }).toArray()).length;
    expect(await rows.countDocuments(filter)).toBe(expected);
    expect(await rows.countDocuments(filter, { skip: 10, limit: 50 })).toBe(Math.min(50, Math.max(0, expected - 10)));
  }
  await rows.deleteMany({ n: { $lt: 1_000 } });
  expect(await rows.countDocuments({ account: 'wdc' })).toBe(2_000);
});

test('maxTimeMS ends a slow query', async () => {
  const rows = await tickets(5_000);
  const slow = { n: -1, $or: Array.from({ length: 200 }, (_, n) => ({ status: `none ${n}` })) };
  const expired = { code: 50, codeName: 'MaxTimeMSExpired' };
  await expect(rows.find(slow, { maxTimeMS: 1 }).toArray()).rejects.toMatchObject(expired);
  await expect(rows.countDocuments(slow, { maxTimeMS: 1 })).rejects.toMatchObject(expired);
  expect(await rows.find({ n: 5 }, { maxTimeMS: 60_000 }).toArray()).toHaveLength(1);
});
