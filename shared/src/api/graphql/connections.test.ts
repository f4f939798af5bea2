import { loadConnection } from './connections';
import type { ConnectionArgs, Slice } from './connections';

const ids = Array.from({ length: 10 }, (_none, index) => ({ id: index + 1 }));

const source = (records = ids) => ({
  read({ after = 0, before = Infinity, limit, from }: Slice) {
    const inside = records.filter(({ id }) => id > after && id < before);
    return Promise.resolve(from === 'start' ? inside.slice(0, limit) : inside.slice(-limit));
  },
  count: () => Promise.resolve(records.length),
});

const page = async (args: ConnectionArgs, records = ids) => {
  const { nodes, pageInfo } = await loadConnection(args, source(records));
  return { ids: nodes.map(({ id }) => id), ...pageInfo };
};

test('forward and backward pagination returns every record once', async () => {
  const first = await page({ first: 4 });
  expect(first).toMatchObject({ ids: [1, 2, 3, 4], hasNextPage: true, hasPreviousPage: false });
  const second = await page({ first: 4, after: first.endCursor });
  expect(second).toMatchObject({ ids: [5, 6, 7, 8], hasNextPage: true, hasPreviousPage: true });
  expect(await page({ first: 4, after: second.endCursor })).toMatchObject({ ids: [9, 10], hasNextPage: false });
  const last = await page({ last: 4 });
  expect(last).toMatchObject({ ids: [7, 8, 9, 10], hasNextPage: false, hasPreviousPage: true });
  expect(await page({ last: 4, before: last.startCursor })).toMatchObject({ ids: [3, 4, 5, 6], hasNextPage: true });
});

test('a cursor stays valid when its record is deleted and others are added', async () => {
  const { endCursor } = await page({ first: 4 });
  const changed = [...ids.filter(({ id }) => id !== 4), { id: 11 }];
  expect(await page({ first: 3, after: endCursor }, changed)).toMatchObject({ ids: [5, 6, 7] });
});

test('an empty page has no cursors', async () => {
  expect(await page({ first: 5 }, [])).toEqual({
    ids: [],
    hasNextPage: false,
    hasPreviousPage: false,
    startCursor: null,
    endCursor: null,
  });
});

test.each<ConnectionArgs>([{}, { first: 0 }, { first: 101 }, { last: -1 }, { first: 1, last: 1 }, { first: null }])(
  '%j is refused',
  async (args) => {
    await expect(page(args)).rejects.toThrow('Exactly one of `first` and `last`');
  },
);

test.each(['', 'x', 'aWQ6', Buffer.from('id:1;drop').toString('base64url')])('%s is no cursor', async (after) => {
  await expect(page({ first: 1, after })).rejects.toThrow('not a cursor');
});
