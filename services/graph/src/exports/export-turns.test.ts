import { once } from 'node:events';
import { Agent, createServer, get as getRaw } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { StartTimer } from '@itsm/shared/base/time/clock';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { cellsOf, unzip } from '@itsm/shared/testing/unzip';
import { startImporting } from '../testing/importers';
import type { Importing } from '../testing/importers';
import { ask, download } from '../testing/exporters';

let importing: Importing;
let graph: Importing['graph'];
let server: Server;
/** Ends of the timers that run, each for a client that does not take what was written. */
const running = new Set<() => void>();
const exportTimer: StartTimer = (end) => {
  running.add(end);
  return () => running.delete(end);
};
beforeAll(async () => {
  importing = await startImporting({ exportTimer });
  ({ graph, somebody } = importing);
  server = createServer(graph.app.http).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await importing.close();
});

let somebody: Importing['somebody'];

/** A download that its client does not read. */
async function begin(account: string, token: string, agent?: Agent): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const authorization = `Bearer ${importing.keys.token({ accounts: { [account]: ['specialist'] } })}`;
  const headers = { authorization, 'x-service-account': account };
  const [answer] = (await once(
    getRaw({ host: '127.0.0.1', port, path: `/v1/export/${token}/file`, headers, agent }),
    'response',
  )) as [IncomingMessage];
  return answer;
}

async function givenMuch() {
  const owner = somebody();
  const noise = (index: number) => Array.from({ length: 2_000 }, (_none, n) => (index * 31 + n * n * 7).toString(36));
  const rows = Array.from(
    { length: 600 },
    (_none, index) => `Row ${index},${owner.account},${owner.account},${noise(index).join(' ')}`,
  );
  const file = ['name,provider_id,customer_id,remarks', ...rows].join('\n');
  expect(await owner.run('sla', file)).toMatchObject({ results: { created: 600 } });
  return { owner, token: await ask(owner, { type: 'slas' }) };
}

test('a second one is refused until the first has ended or its client has gone', async () => {
  const { owner, token } = await givenMuch();
  const first = await begin(owner.account, token);
  expect(first.statusCode).toBe(200);
  await owner.get(`/v1/export/${token}/file`).expect(409, {
    message: 'Another export of the account is being downloaded; try again when it has ended',
  });
  await owner.get(`/v1/export/${token}`).expect(200);
  const other = somebody();
  await download(other, await ask(other, { type: 'request' }));
  first.destroy();
  const again = await waitUntil('the turn', async () => {
    const { status, body } = await owner.get(`/v1/export/${token}/file`).responseType('blob');
    return status === 200 ? (body as Buffer) : undefined;
  });
  expect(cellsOf([...unzip(again).values()].join(''))).toHaveLength(601);
});

test('what is put into the trash during a download is not in the rest of it, and the archive is whole', async () => {
  const { owner, token } = await givenMuch();
  const first = await begin(owner.account, token);
  const last = Number((await owner.list('/v1/slas?fields=id&sort=-id&per_page=1'))[0]?.['id']);
  const admin = graph.as('account_administrator', {}, owner.account);
  await admin.rest('post', `/v1/slas/${last}/trash`).expect(200);
  const rows = cellsOf([...unzip(await buffer(first)).values()].join(''));
  expect(rows).toHaveLength(600);
  expect(rows.map(([id]) => id)).not.toContain(String(last));
});

test('one whose client reads too slowly breaks off when another one has the turn', async () => {
  const { owner, token } = await givenMuch();
  const first = await begin(owner.account, token);
  // As long as the line takes pieces, the first one keeps its turn.
  await waitUntil('the turn', async () => {
    graph.clock.pass(60_000);
    return (await owner.get(`/v1/export/${token}/file`)).status === 200;
  });
  await expect(buffer(first)).rejects.toThrow('aborted');
});

test('one whose client takes nothing is ended, and gives its turn back', async () => {
  const { owner, token } = await givenMuch();
  // Nothing of the answer leaves the process. A client that does not read would take what fits into the buffers of the system.
  server.prependOnceListener('request', ({ socket }: IncomingMessage) => socket.cork());
  const broken = expect(begin(owner.account, token).then(buffer)).rejects.toThrow(/aborted|hang up/);
  await waitUntil('a piece that is not taken', () => running.size > 0);
  for (const end of running) end();
  await broken;
  const again = await waitUntil('the turn', async () => {
    const { status, body } = await owner.get(`/v1/export/${token}/file`).responseType('blob');
    return status === 200 ? (body as Buffer) : undefined;
  });
  expect(cellsOf([...unzip(again).values()].join(''))).toHaveLength(601);
  expect(running.size).toBe(0);
});

test('a turn that cannot be given back costs neither the archive nor its connection', async () => {
  const owner = somebody();
  const token = await ask(owner, { type: 'request' });
  const turns = graph.connection.collection<{ _id: string }>('export_turns');
  await turns.deleteMany({});
  await turns.insertOne({ _id: 'another', holder: 'another', until: new Date(0) } as never);
  // The store refuses to end a turn, since two would have ended at the same time.
  const index = await turns.createIndex({ until: 1 }, { unique: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let refusals = 0;
  graph.connection.getClient().on('commandSucceeded', ({ reply }: { reply: { writeErrors?: unknown } }) => {
    if (reply.writeErrors) refusals += 1;
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const archive = await buffer(await begin(owner.account, token, agent));
  await waitUntil('the refusal', () => refusals > 0);
  expect([...unzip(archive).keys()]).toHaveLength(1);
  const second = await begin(owner.account, token, agent);
  await buffer(second);
  expect([second.statusCode, connections]).toEqual([409, 1]);
  agent.destroy();
  await turns.dropIndex(index);
});

test('that of a process that has ended does not stand in the way for more than a minute', async () => {
  const owner = somebody();
  const token = await ask(owner, { type: 'request' });
  const until = new Date(graph.clock.now().getTime() + 60_000);
  const turns = graph.connection.collection<{ _id: string }>('export_turns');
  await turns.insertOne({ _id: owner.account, holder: 'gone', until } as never);
  await owner.get(`/v1/export/${token}/file`).expect(409);
  // As long as the line takes pieces, the first one keeps its turn.
  await waitUntil('the turn', async () => {
    graph.clock.pass(60_000);
    return (await owner.get(`/v1/export/${token}/file`)).status === 200;
  });
});

test('a turn ends before its archive does, so that the next one may be asked for at once', async () => {
  const owner = somebody();
  const token = await ask(owner, { type: 'request' });
  const turns = graph.connection.collection<{ _id: string; until: Date }>('export_turns');
  let until: Date | undefined;
  server.prependOnceListener('request', (_request, response: ServerResponse) => {
    const end = response.end.bind(response) as (...rest: unknown[]) => ServerResponse;
    response.end = (...rest: unknown[]) => {
      const look = async () => {
        until = (await turns.findOne({ _id: owner.account }))?.until;
        end(...rest);
      };
      void look();
      return response;
    };
  });
  expect(unzip(await buffer(await begin(owner.account, token))).size).toBe(1);
  expect(until).toEqual(new Date(0));
});

test('a question for the head alone takes no turn', async () => {
  const owner = somebody();
  const token = await ask(owner, { type: 'request' });
  const other = graph.as('specialist', {}, owner.account);
  const { port } = server.address() as AddressInfo;
  const headers = {
    authorization: `Bearer ${importing.keys.token({ accounts: { [owner.account]: ['specialist'] } })}`,
    'x-service-account': owner.account,
  };
  const head = await fetch(`http://127.0.0.1:${port}/v1/export/${token}/file`, { method: 'HEAD', headers });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip']);
  await other.get(`/v1/export/${token}/file`).expect(200);
});
