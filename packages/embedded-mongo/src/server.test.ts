import { MongoClient } from 'mongodb';
import { startEmbeddedMongo } from './server';
import { useServer } from './test-server';

const { database, client, url } = useServer();

test('hello announces a standalone server with sessions', async () => {
  const hello = await database().command({ hello: 1 });
  expect(hello).toMatchObject({
    isWritablePrimary: true,
    maxBsonObjectSize: 16777216,
    logicalSessionTimeoutMinutes: 30,
    ok: 1,
  });
  expect(hello).not.toHaveProperty('setName');
});

test('ping, buildInfo, getParameter and connectionStatus answer', async () => {
  const db = database();
  expect(await db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  expect(await db.admin().buildInfo()).toMatchObject({ version: '7.0.0' });
  expect(await db.admin().command({ getParameter: 1, featureCompatibilityVersion: 1 })).toMatchObject({ ok: 1 });
  expect(await db.command({ connectionStatus: 1 })).toMatchObject({ ok: 1 });
});

test('an unknown command is refused, and the error names it', async () => {
  await expect(database().command({ mapReduce: 'x' })).rejects.toMatchObject({
    code: 59,
    codeName: 'CommandNotFound',
    message: "no such command: 'mapReduce'",
  });
});

test('a transaction is refused and changes nothing', async () => {
  const rows = database().collection('rows');
  const session = client().startSession();
  session.startTransaction();
  await expect(rows.insertOne({ a: 1 }, { session })).rejects.toMatchObject({
    code: 263,
    message: 'Transactions are not supported by this server',
  });
  await session.abortTransaction().catch(() => undefined);
  await session.endSession();
  expect(await rows.countDocuments()).toBe(0);
});

test('a session without a transaction works and ends', async () => {
  const rows = database().collection('rows');
  await client().withSession(async (session) => {
    await rows.insertOne({ a: 1 }, { session });
    expect(await rows.find({}, { session }).toArray()).toHaveLength(1);
  });
});

test('an unacknowledged write is applied without a response', async () => {
  const rows = database().collection('rows', { writeConcern: { w: 0 } });
  await rows.insertOne({ a: 1 });
  while ((await rows.countDocuments()) === 0) await new Promise(setImmediate);
});

test('the start fails on a port in use', async () => {
  await expect(startEmbeddedMongo({ port: Number(new URL(url()).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('urlOf adds the database, and close ends open connections', async () => {
  const server = await startEmbeddedMongo();
  expect(server.urlOf('app')).toBe(`${server.url}/app`);
  const other = await MongoClient.connect(server.urlOf('app'), { serverSelectionTimeoutMS: 200 });
  await other.db().command({ ping: 1 });
  expect(other.db().databaseName).toBe('app');
  await server.close();
  await expect(other.db().command({ ping: 1 })).rejects.toThrow();
  await other.close();
});
