import { createOutbound } from './outbound';
import type { Outbound, OutboundOptions } from './outbound';
import { startHttpReceiver, startTcpReceiver } from '../../testing/receiver-kit';
import type { Receiver } from '../../testing/receiver-kit';
import { waitUntil } from '../../testing/wait-until';

const receivers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function started(starting: Promise<Receiver>): Promise<Receiver> {
  const receiver = await starting;
  receivers.push(receiver);
  return receiver;
}

const http = ({ port }: Receiver) => `http://127.0.0.1:${port}/hook`;

const request = { method: 'POST', headers: {}, body: '{}' } as const;
const outbounds: Outbound[] = [];
afterEach(() => outbounds.splice(0).forEach((outbound) => outbound.close()));

function outboundOf(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ allowInsecure: true, timeoutMilliseconds: 3_000, ...options });
  outbounds.push(outbound);
  return outbound;
}

test('a connection is reused, without another look-up', async () => {
  const receiver = await started(startHttpReceiver((_req, res) => res.end('thanks')));
  let lookups = 0;
  const lookup = () => {
    lookups += 1;
    return Promise.resolve(['127.0.0.1']);
  };
  const outbound = outboundOf({ lookup });
  const url = `http://receiver.example:${receiver.port}/`;
  const results = [await outbound.send({ ...request, url }), await outbound.send({ ...request, url })];
  expect(results).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect([receiver.connections(), lookups]).toEqual([1, 1]);
  expect(Object.keys(results[1]?.timings ?? {}).sort()).toEqual(['firstByte', 'total']);
});

test('a connection serves only the host and port that it was made for', async () => {
  const receiver = await started(startHttpReceiver((_req, res) => res.end()));
  const lookup = () => Promise.resolve(['127.0.0.1']);
  const outbound = outboundOf({ lookup });
  await outbound.send({ ...request, url: `http://one.example:${receiver.port}/` });
  await outbound.send({ ...request, url: `http://other.example:${receiver.port}/` });
  expect(receiver.connections()).toBe(2);
});

test('a new connection is checked again: a name that now resolves to an internal address is refused', async () => {
  const receiver = await started(
    startHttpReceiver((_req, res) => res.setHeader('Connection', 'close').writeHead(200).end()),
  );
  const addresses = [['127.0.0.1'], ['10.0.0.1']];
  const outbound = outboundOf({ lookup: () => Promise.resolve(addresses.shift() ?? []) });
  const url = `http://receiver.example:${receiver.port}/`;
  expect(await outbound.send({ ...request, url })).toMatchObject({ kind: 'answered' });
  expect(await outbound.send({ ...request, url })).toMatchObject({ kind: 'refused', because: 'address' });
});

test('a connection that the receiver closed is replaced, and the call succeeds', async () => {
  let calls = 0;
  const receiver = await started(
    startHttpReceiver((req, res) => {
      calls += 1;
      if (calls === 2) req.socket.destroy();
      else res.end();
    }),
  );
  const outbound = outboundOf();
  await outbound.send({ ...request, url: http(receiver) });
  expect(await outbound.send({ ...request, url: http(receiver) })).toMatchObject({ kind: 'answered', status: 200 });
  expect([calls, receiver.connections()]).toEqual([3, 2]);
});

test('a connection with an unrequested answer is not reused', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
  const receiver = await started(
    startTcpReceiver((socket) => void socket.on('data', () => socket.write(`${answer}${answer}`))),
  );
  const outbound = outboundOf();
  for (let count = 0; count < 2; count += 1) {
    expect(await outbound.send({ ...request, url: http(receiver) })).toMatchObject({ status: 200 });
  }
  expect(receiver.connections()).toBe(2);
});

test('an idle connection on which something arrives is closed', async () => {
  let closed = false;
  const receiver = await started(
    startTcpReceiver((socket) => {
      socket.on('close', () => (closed = true));
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
      settled.then(() => socket.write('HTTP/1.1 500 Poison\r\nContent-Length: 0\r\n\r\n')).catch(() => {});
    }),
  );
  let settle = () => {};
  const settled = new Promise<void>((resolve) => (settle = resolve));
  const outbound = outboundOf();
  expect(await outbound.send({ ...request, url: http(receiver) })).toMatchObject({ status: 200 });
  settle();
  await waitUntil('the end of the connection', () => closed);
});

test.each([
  ['timeout=1', 2],
  ['timeout=0', 2],
  ['max=5, timeout=60', 1],
  ['nonsense', 1],
] as const)('a receiver that announces Keep-Alive: %s gets %d connections for two calls', async (announced, count) => {
  const receiver = await started(startHttpReceiver((_req, res) => res.setHeader('Keep-Alive', announced).end()));
  const outbound = outboundOf();
  await outbound.send({ ...request, url: http(receiver) });
  await outbound.send({ ...request, url: http(receiver) });
  expect(receiver.connections()).toBe(count);
});

test('a connection whose answer was truncated is not reused', async () => {
  const receiver = await started(startHttpReceiver((_req, res) => res.end('x'.repeat(50_000))));
  const outbound = outboundOf();
  await outbound.send({ ...request, url: http(receiver) });
  await outbound.send({ ...request, url: http(receiver) });
  expect(receiver.connections()).toBe(2);
});
