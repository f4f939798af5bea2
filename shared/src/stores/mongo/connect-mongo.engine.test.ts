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
