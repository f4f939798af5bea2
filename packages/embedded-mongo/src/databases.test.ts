import { useServer } from './test-server';

const { database, client } = useServer();

test('collections are created, listed and dropped', async () => {
  const db = database();
  await db.createCollection('a');
  await db.createCollection('a');
  await db.collection('b').insertOne({});
  expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(await db.listCollections({ name: 'b' }, { nameOnly: true }).toArray()).toEqual([
    { name: 'b', type: 'collection' },
  ]);
  expect(await db.dropCollection('a')).toBe(true);
  expect(await db.collection('nothing').drop()).toBe(true);
  expect(await db.collections()).toHaveLength(1);
});

test('databases are listed and dropped', async () => {
  const db = database();
  await db.collection('a').insertOne({ x: 1 });
  const listed = async () => (await client().db().admin().listDatabases()).databases.map(({ name }) => name);
  expect(await listed()).toContain(db.databaseName);
  await db.dropDatabase();
  expect(await listed()).not.toContain(db.databaseName);
  expect(await db.collection('a').countDocuments()).toBe(0);
});

test('statistics count documents and bytes', async () => {
  const db = database();
  await db.collection('a').insertMany([{ x: 1 }, { x: 2 }]);
  expect(await db.command({ collStats: 'a' })).toMatchObject({ count: 2, nindexes: 1, size: 58 });
  expect(await db.stats()).toMatchObject({ collections: 1, objects: 2 });
});

test('invalid names and fields and unsupported options are refused', async () => {
  const db = database();
  await expect(db.createCollection('log', { capped: true, size: 100 })).rejects.toMatchObject({
    code: 72,
    message: expect.stringContaining("'capped'") as string,
  });
  await expect(db.command({ insert: 'a$b', documents: [{}] })).rejects.toMatchObject({ code: 73 });
  await expect(db.command({ insert: '', documents: [{}] })).rejects.toMatchObject({ code: 73 });
  await expect(db.command({ insert: 'a' })).rejects.toMatchObject({ code: 9 });
  await expect(db.command({ find: 'a', filter: 5 })).rejects.toMatchObject({ code: 14 });
  await expect(db.command({ find: 'a', limit: -1 })).rejects.toMatchObject({ code: 2 });
  await expect(db.command({ find: 'a', tailable: true })).rejects.toThrow("'tailable' is not supported");
});
