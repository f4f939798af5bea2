import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { duringCall } from '../../base/concurrency/present-call';
import { waitUntil } from '../../testing/wait-until';
import { readForCaller } from './caller-reads';
import { connectMongo } from './connect-mongo';

const onMongodb = process.env['MONGODB_URL'] ? describe : describe.skip;

onMongodb('on MongoDB', () => {
  test('a query ends in the database when its client leaves, and the next one is answered', async () => {
    const mongo = await startEmbeddedMongo();
    const connection = await connectMongo(mongo.urlOf('leaving'));
    const tickets = connection.collection<{ _id: number }>('tickets');
    await tickets.insertMany(Array.from({ length: 100 }, (_none, _id) => ({ _id })));
    const comment = `leaving ${Date.now()}`;
    const running = async () => {
      const found = await connection
        .getClient()
        .db('admin')
        .aggregate([{ $currentOp: { allUsers: true } }, { $match: { 'command.comment': comment } }])
        .toArray();
      return found.length;
    };
    const gone = new AbortController();
    const read = duringCall({ accountId: 'wdc', left: () => 60_000, signal: gone.signal }, () =>
      readForCaller(connection, 'light', (options) =>
        tickets.find({ $where: 'sleep(200) || true' }, { ...options(), comment }).toArray(),
      ),
    ).catch((error: unknown) => error);
    await waitUntil('the query to run', async () => (await running()) > 0);
    gone.abort(new Error('the client left'));
    expect(await read).toEqual(new Error('the client left'));
    await waitUntil('the query to end', async () => (await running()) === 0);
    expect(await tickets.countDocuments({})).toBe(100);
    await connection.close();
    await mongo.close();
  });
});
