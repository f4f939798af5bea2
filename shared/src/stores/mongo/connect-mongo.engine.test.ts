import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { ConnectionString } from 'mongodb-connection-string-url';
import { connectMongo } from './connect-mongo';

let mongo: EmbeddedMongo;
let address: string;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  const url = new ConnectionString(mongo.urlOf('people'));
  const people = await connectMongo(url.href);
  await people.db?.command({ createUser: 'ada', pwd: 'p@ss/w:rd', roles: [] });
  await people.close();
  url.username = 'ada';
  url.password = encodeURIComponent('p@ss/w:rd');
  address = url.href;
});
afterAll(async () => {
  const people = await connectMongo(address);
  await people.db?.command({ dropUser: 'ada' });
  await people.close();
  await mongo.close();
});

test('another database is opened with the authentication database of the address', async () => {
  const connection = await connectMongo(address, { database: 'elsewhere' });
  const { authInfo } = (await connection.db?.command({ connectionStatus: 1 })) ?? {};
  expect([connection.name, connection.db?.databaseName]).toEqual(['elsewhere', 'elsewhere']);
  const { name } = await connectMongo(address).then(async (own) => ({ name: own.name, closed: await own.close() }));
  expect(authInfo).toMatchObject({ authenticatedUsers: [{ user: 'ada', db: name }] });
  await connection.close();
});

test('a start goes on with a server that is slow to answer', async () => {
  const { hosts } = new ConnectionString(mongo.urlOf('people'));
  const [host = '', port = ''] = hosts[0]?.split(':') ?? [];
  const sockets: Socket[] = [];
  const slow = createServer((socket) => {
    socket.on('error', () => {});
    // The first attempt ends before anything is answered.
    if (sockets.push(socket) === 1) return;
    const onward = connect(Number(port), host);
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const url = `mongodb://127.0.0.1:${(slow.address() as AddressInfo).port}/people?directConnection=true`;
  const long = 240_000;
  const limits = { electionMilliseconds: 1_000, connectMilliseconds: long, socketMilliseconds: long };
  const connection = await connectMongo(url, { limits });
  expect(sockets.length).toBeGreaterThan(1);
  await connection.close();
  for (const socket of sockets) socket.destroy();
  slow.close();
});
