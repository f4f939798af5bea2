import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Socket } from 'node:net';
import type { Connection } from 'mongoose';
import { waitUntil } from '../../testing/wait-until';
import { connectMongo } from './connect-mongo';

interface DriverConnection {
  readonly socket: Socket;
}
interface Topology {
  readonly s: {
    readonly servers: ReadonlyMap<
      string,
      {
        readonly pool: { readonly connections: Iterable<DriverConnection> };
        readonly monitor: { readonly connection: DriverConnection | null; requestCheck(): void };
      }
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

/** The driver's internal object of the server; there is no public access to it. */
function serverOf() {
  const { topology } = connection.getClient() as unknown as { readonly topology: Topology };
  const [server] = topology.s.servers.values();
  if (!server) throw new Error('the driver knows no server');
  return server;
}

const insert = () => connection.collection('things').insertOne({ at: new Date() });

test('a write to a connection that just closed ends, and the next one succeeds', async () => {
  await insert();
  const [pooled] = serverOf().pool.connections;
  expect(pooled).toBeDefined();
  pooled?.socket.destroy();
  const first = await insert().then(
    () => 'written',
    (error: Error) => error.name,
  );
  expect(['written', 'MongoNetworkError']).toContain(first);
  await insert();
});

test('a write that waits for its buffer ends when the connection closes without an error', async () => {
  await insert();
  const [pooled] = serverOf().pool.connections;
  pooled?.socket.pause();
  const large = connection.collection('things').insertOne({ text: 'x'.repeat(8_000_000) });
  setImmediate(() => pooled?.socket.destroy());
  await Promise.allSettled([large]);
  await insert();
});

test('a heartbeat on a closed connection does not keep the server unknown', async () => {
  const { monitor } = serverOf();
  monitor.connection?.socket.destroy();
  monitor.requestCheck();
  // Writes in flight when the driver drops the connections may fail; later ones must succeed.
  const made = await waitUntil('a write', () => insert().catch(() => undefined));
  expect(made).toMatchObject({ acknowledged: true });
});
