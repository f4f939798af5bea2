import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Socket } from 'node:net';
import type { Connection } from 'mongoose';
import { connectMongo, durable } from './connect-mongo';

interface Topology {
  readonly s: {
    readonly servers: ReadonlyMap<
      string,
      { readonly pool: { readonly checkedOut: Iterable<{ readonly socket: Socket }> } }
    >;
  };
}

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectMongo(mongo.urlOf('closed'));
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

/** The number of connections that wait for an answer. */
function busy() {
  const { topology } = connection.getClient() as unknown as { readonly topology: Topology };
  return [...topology.s.servers.values()].flatMap(({ pool }) => [...pool.checkedOut]);
}

test('all writes in flight when a replica set loses its primary are made exactly once', async () => {
  const things = connection.collection<{ _id: number; times: number }>('things');
  await things.insertOne({ _id: 0, times: 0 });
  const add = () => things.updateOne({ _id: 0 }, { $inc: { times: 1 } }, { writeConcern: durable });
  await Promise.all(Array.from({ length: 20 }, add));
  const writes = Promise.all([
    ...Array.from({ length: 20 }, (_, index) =>
      things.insertOne({ _id: index + 1, times: 0 }, { writeConcern: durable }),
    ),
    ...Array.from({ length: 20 }, add),
  ]);
  while (busy().length < 2) await new Promise((resolve) => setImmediate(resolve));
  for (const { socket } of busy()) socket.destroy();
  await writes;
  expect(await things.countDocuments()).toBe(21);
  expect(await things.findOne({ _id: 0 })).toMatchObject({ times: 40 });
});
