import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { mostInFlight } from '../callers/calls-in-flight';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

/** Stands in for graph; records the port of each request's connection, by path and account. */
let graph: Server;
let seen: { readonly what: string; readonly account: string; readonly port: number }[];
let gateway: StartedGateway;
const clock = createTestClock();
const sockets: Socket[] = [];
beforeEach(async () => {
  seen = [];
  graph = createServer((req, res) => {
    if (req.url === '/graphql') return void res.writeHead(404).end();
    const { url, method, headers, socket } = req;
    seen.push({
      what: `${method} ${url}`,
      account: String(headers['x-service-account']),
      port: socket.remotePort ?? 0,
    });
    req.resume().on('end', () => res.end('{}'));
  });
  graph.listen(0, '127.0.0.1');
  await once(graph, 'listening');
  const env = { GRAPH_URL: `http://127.0.0.1:${(graph.address() as AddressInfo).port}` };
  gateway = await startGateway({ env, now: clock.now });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.close();
  graph.closeAllConnections();
  graph.close();
});

const as = (accountId: string, token = gateway.auth.issue({ accounts: { [accountId]: ['specialist'] } })) => ({
  authorization: `Bearer ${token}`,
  'x-service-account': accountId,
});

/** Sends an import whose body never ends; returns its status, once there is one. */
function drip(headers: ReturnType<typeof as>): () => string {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (answer += String(chunk)));
  const lines = Object.entries({ host: 'x', ...headers, 'content-length': '60000' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.write(`POST /v1/import?type=requests HTTP/1.1\r\n${lines}\r\nx`);
  return () => answer.slice(9, 12);
}

/** Sends as many as the request window lets through, then the next. */
async function dripMany(count: number, headers: ReturnType<typeof as>): Promise<(() => string)[]> {
  const begun: (() => string)[] = [];
  while (begun.length < count) {
    clock.pass(3_000);
    const some = Array.from({ length: Math.min(16, count - begun.length) }, () => drip(headers));
    await waitUntil('those that are refused', () => {
      const under = [...begun, ...some].filter((status) => status() === '').length;
      return under <= mostInFlight.uploadsOfCaller;
    });
    begun.push(...some);
  }
  return begun;
}

describe('an import that the service refuses before it asks for the file', () => {
  /** What the service was sent, head and body. */
  let received: number;
  beforeEach(() => {
    received = 0;
    graph.on('checkContinue', (req, res) => {
      req.socket.on('data', (chunk: Buffer) => (received += chunk.length));
      res.writeHead(409, { 'content-type': 'application/json' }).end('{"message":"Ten wait already"}');
    });
  });

  function send(bytes: number) {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    sockets.push(socket);
    const lines = Object.entries({ host: 'x', ...as('wdc'), 'content-length': bytes })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    socket.write(`POST /v1/import HTTP/1.1\r\n${lines}\r\n`);
    return socket;
  }

  test('is answered with Connection: close while the client sends, and nothing of it reaches the service', async () => {
    const socket = send(1_000_000);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += String(chunk)));
    socket.write(Buffer.alloc(100_000));
    await waitUntil('the answer', () => answer.includes('Ten wait already'));
    expect(answer).toMatch(/^HTTP\/1\.1 409 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    socket.destroy();
    expect(received).toBe(0);
  });

  test('is answered to a client that sends all of it before it reads', async () => {
    const socket = send(50_000_000);
    socket.pause();
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(Buffer.alloc(50_000_000), () => resolve());
    });
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += String(chunk)));
    socket.resume();
    await once(socket, 'end');
    expect(answer).toMatch(/^HTTP\/1\.1 409 [^]*Ten wait already/);
    expect(received).toBe(0);
  });
});

const uploads = (account: string) => seen.filter((one) => one.what.startsWith('POST') && one.account === account);
const get = async (headers: ReturnType<typeof as>) => (await gateway.get('/v1/requests', headers)).status;

test('288 slow imports of one token take four connections, and other callers do not wait', async () => {
  const token = gateway.auth.issue();
  const dripping = await dripMany(288, as('wdc', token));
  await waitUntil('four to be with the service', () => uploads('wdc').length === mostInFlight.uploadsOfCaller);
  const statuses = dripping.map((status) => status()).filter((status) => status !== '');
  expect(new Set(statuses)).toEqual(new Set(['429']));
  expect(statuses).toHaveLength(288 - mostInFlight.uploadsOfCaller);
  for (let n = 0; n < 5; n += 1) expect(await get(as('acme'))).toBe(200);
  clock.pass(3_000);
  expect(await get(as('wdc', token))).toBe(200);
});

test('all callers of an account together have eight imports; another account has its own', async () => {
  const callers = [as('wdc'), as('wdc'), as('wdc')];
  const [first = [], second = [], third = []] = await Promise.all(callers.map((caller) => dripMany(4, caller)));
  const underWay = () => [...first, ...second, ...third].filter((status) => status() === '').length;
  await waitUntil('the others to be refused', () => underWay() === mostInFlight.uploadsOfAccount);
  await waitUntil('them to be with the service', () => uploads('wdc').length === mostInFlight.uploadsOfAccount);
  drip(as('acme'));
  await waitUntil('that of another account', () => uploads('acme').length === 1);
});

test('an import has a connection of its own, though one of another call is idle', async () => {
  const caller = as('wdc');
  for (let n = 0; n < 2; n += 1) expect(await get(caller)).toBe(200);
  drip(caller);
  await waitUntil('the import', () => uploads('wdc').length === 1);
  const upload = seen.findIndex(({ what }) => what.startsWith('POST'));
  const before = seen.slice(0, upload).map(({ port }) => port);
  expect(before.length).toBeGreaterThanOrEqual(2);
  expect(before).not.toContain(seen[upload]?.port);
});
