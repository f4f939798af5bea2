import { byId, createLoader } from './record-loader';

test('ids that are loaded in one tick share one read, without duplicates', async () => {
  const reads: (readonly number[])[] = [];
  const loader = createLoader((ids: readonly number[]) => {
    reads.push([...ids]);
    return Promise.resolve(byId(ids.filter((id) => id < 10).map((id) => ({ id }))));
  });

  expect(await Promise.all([loader.load(1), loader.load(2), loader.load(1), loader.load(10)])).toEqual([
    { id: 1 },
    { id: 2 },
    { id: 1 },
    undefined,
  ]);
  await loader.load(3);
  expect(reads).toEqual([[1, 2, 10], [3]]);
});

test('a failed read rejects all waiting loads', async () => {
  const loader = createLoader<number, object>(() => Promise.reject(new Error('away')));
  const both = await Promise.allSettled([loader.load(1), loader.load(2)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
