import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { listen } from '@itsm/shared/running/listen';
import type { Listening } from '@itsm/shared/running/listen';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { startGraph } from '../testing/start-graph';
import type { RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let server: Listening;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  keys = await startCallerKeys();
  graph = await startGraph(mongo, keys);
  server = await listen(graph.app, 0, '127.0.0.1');
});
afterAll(async () => {
  await server.close();
  await graph.stop();
  await keys.close();
  await mongo.close();
});

/** Sends the body when it is asked for; resolves with the status, and whether the body was asked for. */
async function send(account: string, path: string, type: string, body: string) {
  const token = keys.token({ accounts: { [account]: ['specialist'] } });
  const call = request({
    host: '127.0.0.1',
    port: server.port,
    path,
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Service-Account': account,
      'Content-Type': type,
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  });
  let asked = 0;
  call.on('continue', () => {
    asked += 1;
    call.end(body);
  });
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  answer.resume();
  call.destroy();
  return { status: answer.statusCode, asked };
}

const form = 'multipart/form-data; boundary=x';
const file = [
  '--x\r\nContent-Disposition: form-data; name="type"\r\n\r\nrequest\r\n',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nsubject\nOne\n\r\n--x--\r\n',
].join('');

test('the file of an import is asked for when the import may wait', async () => {
  expect(await send('wdc', '/v1/import', form, file)).toEqual({ status: 202, asked: 1 });
});

test.each([
  ['another type', 415, 'wdc', 'text/csv'],
  ['an import beyond the tenth', 409, 'full', form],
])('the file is not asked for: %s', async (_what, status, account, type) => {
  const waiting = { accountId: 'full', state: 'queued', leaseUntil: new Date(Date.now() + 3_600_000) };
  await graph.connection.collection('imports').insertMany(Array.from({ length: 10 }, () => ({ ...waiting })));
  expect(await send(account, '/v1/import', type, file)).toEqual({ status, asked: 0 });
});

test('other calls are asked for their bodies at once', async () => {
  const query = JSON.stringify({ query: '{ requests { totalCount } }' });
  expect(await send('wdc', '/graphql', 'application/json', query)).toEqual({ status: 200, asked: 1 });
});
