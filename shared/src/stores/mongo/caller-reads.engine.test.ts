import { randomUUID } from 'node:crypto';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Connection } from 'mongoose';
import { duringCall } from '../../base/concurrency/present-call';
import { waitUntil } from '../../testing/wait-until';
import { readForCaller } from './caller-reads';
import { connectPatiently } from '../../testing/connect-patiently';

const ticketCount = 5_000;
const onMongodb = process.env['MONGODB_URL'] ? describe : describe.skip;

onMongodb('on MongoDB', () => {
  let mongo: EmbeddedMongo;
  let connection: Connection;
  beforeAll(async () => {
    mongo = await startEmbeddedMongo();
    connection = await connectPatiently(mongo.urlOf('leaving'));
    await tickets().insertMany(Array.from({ length: ticketCount }, (_none, _id) => ({ _id })));
  });
  afterAll(async () => {
    await connection.close();
    await mongo.close();
  });
  const tickets = () => connection.collection<{ _id: number }>('tickets');

  /** A query that takes longer than a test may, for a call with that deadline and signal. */
  function begin(call: { readonly milliseconds: number; readonly signal: AbortSignal }) {
    const comment = `slow ${randomUUID()}`;
    const left = (): number => call.milliseconds;
    const read = duringCall({ accountId: 'wdc', left, signal: call.signal }, () =>
      readForCaller(connection, 'light', (options) =>
        tickets()
          .find({ $where: 'sleep(200) || true' }, { ...options(), comment })
          .toArray(),
      ),
    ).catch((error: unknown) => error);
    const running = async (): Promise<number> => {
      const found = await connection
        .getClient()
        .db('admin')
        .aggregate([{ $currentOp: { allUsers: true } }, { $match: { 'command.comment': comment } }])
        .toArray();
      return found.length;
    };
    return { read, running };
  }

  test('a query is killed in the database when its client disconnects, and the next one is answered', async () => {
    const gone = new AbortController();
    const { read, running } = begin({ milliseconds: 60_000, signal: gone.signal });
    await waitUntil('the query to run', async () => (await running()) > 0);
    gone.abort(new Error('the client left'));
    expect(await read).toEqual(new Error('the client left'));
    await waitUntil('the query to end', async () => (await running()) === 0);
    expect(await tickets().countDocuments({})).toBe(ticketCount);
  });

  test('a query is killed in the database at the deadline of its call', async () => {
    const { read, running } = begin({ milliseconds: 1_000, signal: new AbortController().signal });
    await waitUntil('the query to run', async () => (await running()) > 0);
    expect(await read).toMatchObject({ code: 'bad_request' });
    await waitUntil('the query to end', async () => (await running()) === 0);
  });
});
