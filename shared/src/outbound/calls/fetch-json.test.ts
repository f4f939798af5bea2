import type { ServerResponse } from 'node:http';
import { createOutbound } from './outbound';
import { startHttpReceiver, startTcpReceiver } from '../../testing/receiver-kit';
import type { Receiver } from '../../testing/receiver-kit';
import { waitUntil } from '../../testing/wait-until';

const outbound = createOutbound({ allowInsecure: true });
const receivers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

const addressOf = ({ port }: Receiver): string => `http://127.0.0.1:${port}/document`;

async function fetchFrom(starting: Promise<Receiver>) {
  const receiver = await starting;
  receivers.push(receiver);
  return outbound.fetchJson(addressOf(receiver));
}

const fetchAnswer = (answer: (res: ServerResponse) => void) => fetchFrom(startHttpReceiver((_req, res) => answer(res)));

test('a JSON object is fetched with its max-age', async () => {
  const answer = (cacheControl: string) =>
    fetchAnswer((res) => res.writeHead(200, { 'Cache-Control': cacheControl }).end('{"a":[1]}'));
  expect(await answer('public, max-age=90')).toEqual({ kind: 'fetched', document: { a: [1] }, maxAge: 90 });
  expect(await answer('no-store')).toMatchObject({ maxAge: 0 });
  expect(await answer('public')).toMatchObject({ maxAge: undefined });
});

test('the request is a GET that accepts JSON and does not identify our software', async () => {
  let seen: unknown;
  await fetchFrom(
    startHttpReceiver((req, res) => {
      seen = [req.method, req.url, Object.keys(req.headers).sort()];
      res.end('{}');
    }),
  );
  expect(seen).toEqual(['GET', '/document', ['accept', 'connection', 'host']]);
});

test.each([
  ['an array', '[]'],
  ['a string', '"text"'],
  ['null', 'null'],
  ['no JSON', '<html>'],
  ['nothing', ''],
  ['half of an object', '{"a":'],
])('anything but a JSON object is unusable: %s', async (_form, text) => {
  expect(await fetchAnswer((res) => res.end(text))).toEqual({
    kind: 'unusable',
    message: 'The answer is not a JSON object',
  });
});

test.each([204, 304, 404, 500])('an answer with status %d is unusable', async (status) => {
  expect(await fetchAnswer((res) => res.writeHead(status).end('{}'))).toMatchObject({ kind: 'unusable' });
});

test('a redirect is not followed', async () => {
  const target = await startHttpReceiver((_req, res) => res.end('{}'));
  receivers.push(target);
  const result = await fetchAnswer((res) => res.writeHead(302, { Location: addressOf(target) }).end());
  expect(result).toEqual({ kind: 'unusable', message: 'The answer has the status 302' });
  expect(target.connections()).toBe(0);
});

test('of 20 MB only a little over 256 KB is read', async () => {
  let written = 0;
  const result = await fetchAnswer((res) => {
    const chunk = Buffer.alloc(65_536, 'a');
    const write = () => {
      while (written < 20_000_000 && !res.destroyed && res.write(chunk)) written += chunk.length;
    };
    res.on('drain', write);
    write();
  });
  expect(result).toEqual({ kind: 'unusable', message: 'The answer is larger than 256 KB' });
  expect(written).toBeLessThan(10_000_000);
});

test('a slow answer is aborted after five seconds', async () => {
  const timers: { readonly milliseconds: number; readonly end: () => void }[] = [];
  const slow = createOutbound({
    allowInsecure: true,
    startTimer(end, milliseconds) {
      timers.push({ milliseconds, end });
      return () => undefined;
    },
  });
  let isBegun = false;
  let isLeft = false;
  const receiver = await startHttpReceiver((_req, res) => {
    res.on('close', () => (isLeft = true));
    res.write(' ', () => (isBegun = true));
  });
  receivers.push(receiver);
  const result = slow.fetchJson(addressOf(receiver));
  await waitUntil('the beginning of the answer', () => isBegun);
  expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([5_000]);
  expect(isLeft).toBe(false);
  timers[0]?.end();
  expect(await result).toMatchObject({ kind: 'failed', because: 'timeout' });
  await waitUntil('the connection to be closed', () => isLeft);
});

test.each([
  ['cut off in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":'],
  ['with a chunk that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}'],
  ['that is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
])('an answer %s is a failure', async (_form, text) => {
  const result = await fetchFrom(startTcpReceiver((socket) => void socket.once('data', () => socket.end(text))));
  expect(result).toMatchObject({ kind: 'failed' });
});

test('a connection that is reset in the body is a failure', async () => {
  const result = await fetchFrom(
    startTcpReceiver((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":', () => socket.resetAndDestroy());
      });
    }),
  );
  expect(result).toMatchObject({ kind: 'failed' });
});

test('the guard applies to it', async () => {
  expect(await outbound.fetchJson('http://169.254.169.254/latest')).toMatchObject({
    kind: 'refused',
    because: 'address',
  });
  const strict = createOutbound({ allowInsecure: false, lookup: () => Promise.resolve(['127.0.0.1']) });
  expect(await strict.fetchJson('https://provider.example/')).toMatchObject({ kind: 'refused', because: 'address' });
  expect(await strict.fetchJson('http://provider.example/')).toMatchObject({ kind: 'refused', because: 'scheme' });
});
