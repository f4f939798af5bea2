import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { createOutbound } from './outbound';
import type { OutboundOptions } from './outbound';
import { maskUri } from './mask-uri';
import { serve, startHttpReceiver, startTcpReceiver } from '../../testing/receiver-kit';
import type { Receiver } from '../../testing/receiver-kit';

const receivers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function started(starting: Promise<Receiver>): Promise<Receiver> {
  const receiver = await starting;
  receivers.push(receiver);
  return receiver;
}

const post = (url: string, options: Partial<OutboundOptions> = {}) =>
  createOutbound({ allowInsecure: true, timeoutMilliseconds: 300, ...options }).send({
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":1}',
  });

const http = ({ port }: Receiver, credentials = '') => `http://${credentials}127.0.0.1:${port}/hook?x=1`;

test('an answer has its status, Retry-After and the time of each stage', async () => {
  const receiver = await started(
    startHttpReceiver((_req, res) => res.writeHead(503, { 'Retry-After': '120' }).end('busy')),
  );
  const result = await post(http(receiver));
  expect(result).toMatchObject({ kind: 'answered', status: 503, retryAfter: '120' });
  expect(Object.keys(result.timings).sort()).toEqual(['connect', 'dns', 'firstByte', 'total']);
});

test('the receiver gets method, path, body and the given headers, and nothing that identifies our software', async () => {
  let seen: { headers: IncomingHttpHeaders; url: string | undefined; body: string } | undefined;
  const receiver = await started(
    startHttpReceiver((req, res) => {
      let body = '';
      req
        .on('data', (chunk: Buffer) => (body += chunk.toString()))
        .on('end', () => {
          seen = { headers: req.headers, url: req.url, body };
          res.end();
        });
    }),
  );
  await post(http(receiver));
  expect(seen).toEqual({
    url: '/hook?x=1',
    body: '{"a":1}',
    headers: {
      'content-type': 'application/json',
      'content-length': '7',
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
    },
  });
});

test('credentials in the address become a Basic header', async () => {
  const seen: (string | undefined)[] = [];
  const receiver = await started(
    startHttpReceiver((req, res) => {
      seen.push(req.headers.authorization);
      res.end();
    }),
  );
  await post(http(receiver, 'us%40er:p%3Ass@'));
  expect(seen).toEqual([`Basic ${Buffer.from('us@er:p:ss').toString('base64')}`]);
});

test('a redirect is not followed', async () => {
  const target = await started(startHttpReceiver((_req, res) => res.end()));
  const receiver = await started(
    startHttpReceiver((_req, res) => res.writeHead(307, { Location: http(target) }).end()),
  );
  expect(await post(http(receiver))).toMatchObject({ kind: 'answered', status: 307 });
  expect(target.connections()).toBe(0);
});

test('a receiver that never answers is a timeout at the deadline', async () => {
  const receiver = await started(startHttpReceiver(() => {}));
  const result = await post(http(receiver));
  expect(result).toMatchObject({ kind: 'failed', because: 'timeout' });
  expect(result.timings.total).toBeGreaterThanOrEqual(295);
});

test('slow headers do not extend the deadline', async () => {
  const receiver = await started(
    startTcpReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-Drip: 1\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    }),
  );
  expect(await post(http(receiver))).toMatchObject({ kind: 'failed', because: 'timeout' });
});

test('a look-up that never ends is a failure of the name server, not of the receiver', async () => {
  const result = await post('http://receiver.example/', { lookup: () => new Promise(() => {}) });
  expect(result).toMatchObject({ kind: 'failed', because: 'name_server' });
});

test('a TLS handshake without an answer is a timeout', async () => {
  const receiver = await started(startTcpReceiver(() => {}));
  expect(await post(`https://127.0.0.1:${receiver.port}/`)).toMatchObject({ kind: 'failed', because: 'timeout' });
});

test('a slow body is truncated at the deadline and does not change the status', async () => {
  const receiver = await started(
    startHttpReceiver((_req, res) => {
      res.writeHead(200);
      const timer = setInterval(() => res.write('.'), 20);
      res.on('close', () => clearInterval(timer));
    }),
  );
  const result = await post(http(receiver));
  expect(result).toMatchObject({ kind: 'answered', status: 200 });
});

test('an endless body is truncated after 16 KB', async () => {
  let written = 0;
  const receiver = await started(
    startHttpReceiver((_req, res) => {
      const write = () => {
        while (!res.destroyed && res.write(Buffer.alloc(16_384))) written += 16_384;
      };
      res.on('drain', write);
      write();
    }),
  );
  const result = await post(http(receiver), { timeoutMilliseconds: 5_000 });
  expect(result).toMatchObject({ kind: 'answered', status: 200 });
  expect(written).toBeLessThan(20_000_000);
});

test('headers over 16 KB are refused', async () => {
  const receiver = await started(
    startTcpReceiver((socket) => socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`)),
  );
  expect(await post(http(receiver))).toMatchObject({ kind: 'failed', because: 'protocol' });
});

test.each([
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n', 'protocol'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n', 'protocol'],
  ['HTTP/0.9', '<html>hello</html>', 'protocol'],
  ['a length that is two', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 'protocol'],
  ['closed without an answer', '', 'reset'],
  ['closed in the middle of the headers', 'HTTP/1.1 200 OK\r\nX-A', 'reset'],
] as const)('an answer that is none: %s', async (_form, text, because) => {
  const receiver = await started(startTcpReceiver((socket) => void socket.once('data', () => socket.end(text))));
  expect(await post(http(receiver))).toMatchObject({ kind: 'failed', because });
});

test.each([
  ['at once', (socket: { resetAndDestroy(): unknown }) => void socket.resetAndDestroy()],
  ['after the request', (socket) => void socket.once('data', () => socket.resetAndDestroy())],
] as const satisfies readonly (readonly [string, Parameters<typeof startTcpReceiver>[0]])[])(
  'a connection that is reset %s is one connection and a failure',
  async (_when, answer) => {
    const receiver = await started(startTcpReceiver(answer));
    expect(await post(http(receiver))).toMatchObject({ kind: 'failed', because: 'reset' });
    expect(receiver.connections()).toBe(1);
  },
);

test.each([
  [
    'early hints before it',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n',
    202,
  ],
  [
    'trailers after it',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n1\r\na\r\n0\r\nX: 1\r\n\r\n',
    200,
  ],
  [
    'a body that says it is gzip and is none',
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone',
    200,
  ],
  ['a length that it does not keep', 'HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nshort', 200],
  ['HTTP/1.0', 'HTTP/1.0 204 No Content\r\n\r\n', 204],
] as const)('an answer with %s is an answer', async (_form, text, status) => {
  const receiver = await started(startTcpReceiver((socket) => void socket.once('data', () => socket.end(text))));
  expect(await post(http(receiver))).toMatchObject({ kind: 'answered', status });
});

test('a closed port is a failed connection, reported without the address', async () => {
  const gone = await startHttpReceiver(() => {});
  await gone.close();
  expect(await post(http(gone, 'user:secret@'))).toMatchObject({
    kind: 'failed',
    because: 'connect',
    message: 'The connection could not be made (ECONNREFUSED)',
  });
});

test('the next address is tried when one does not accept the connection', async () => {
  const receiver = await started(startHttpReceiver((_req, res) => res.end()));
  const result = await post(`http://receiver.example:${receiver.port}/`, {
    lookup: () => Promise.resolve(['127.0.0.9', '127.0.0.1']),
  });
  expect(result).toMatchObject({ kind: 'answered', status: 200 });
});

test.each([
  ['ENOTFOUND', 'dns'],
  ['ESERVFAIL', 'dns'],
  ['ETIMEOUT', 'name_server'],
])('a look-up that fails with %s is reported as %s', async (code, because) => {
  const lookup = () => Promise.reject(Object.assign(new Error(code), { code }));
  expect(await post('http://receiver.example/', { lookup })).toMatchObject({ kind: 'failed', because });
});

describe('TLS', () => {
  const fixture = (name: string) => readFileSync(join(__dirname, 'fixtures', name), 'utf8');
  const certificate = fixture('receiver-certificate.pem');
  const key = fixture('receiver-key.pem');
  const startSecure = () =>
    started(serve(createHttpsServer({ cert: certificate, key }, (_req, res) => res.writeHead(204).end())));
  const toReceiver = {
    lookup: () => Promise.resolve(['127.0.0.1']),
    certificateAuthorities: [certificate],
    timeoutMilliseconds: 10_000,
  };

  test('a trusted certificate for the name is accepted, and the checked address is what is connected to', async () => {
    const { port } = await startSecure();
    const result = await post(`https://receiver.example:${port}/`, toReceiver);
    expect(result).toMatchObject({ kind: 'answered', status: 204 });
    expect(result.timings.tls).toBeGreaterThan(0);
  });

  test('a certificate for another name is refused', async () => {
    const { port } = await startSecure();
    expect(await post(`https://other.example:${port}/`, toReceiver)).toMatchObject({
      kind: 'failed',
      because: 'tls',
      message: 'The connection could not be secured (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
  });

  test('a certificate of an unknown issuer is refused', async () => {
    const { port } = await startSecure();
    const { lookup } = toReceiver;
    expect(await post(`https://receiver.example:${port}/`, { lookup })).toMatchObject({
      kind: 'failed',
      because: 'tls',
    });
  });
});

test('environment proxies are not used', async () => {
  const proxy = await started(startHttpReceiver((_req, res) => res.end()));
  const receiver = await started(startHttpReceiver((_req, res) => res.writeHead(202).end()));
  const before = { ...process.env };
  Object.assign(process.env, { HTTP_PROXY: http(proxy), http_proxy: http(proxy), NODE_USE_ENV_PROXY: '1' });
  try {
    expect(await post(http(receiver))).toMatchObject({ kind: 'answered', status: 202 });
  } finally {
    process.env = before;
  }
  expect(proxy.connections()).toBe(0);
});

test('an invalid header rejects: it is our error and not the receiver’s', async () => {
  const receiver = await started(startHttpReceiver((_req, res) => res.end()));
  const outbound = createOutbound({ allowInsecure: true });
  const headers = { Link: 'a\r\nX-Injected: 1' };
  await expect(outbound.send({ method: 'POST', url: http(receiver), headers, body: '' })).rejects.toThrow('header');
});

test('close aborts calls in flight and accepts no more', async () => {
  const receiver = await started(startHttpReceiver(() => {}));
  const outbound = createOutbound({ allowInsecure: true });
  const request = { method: 'POST', url: http(receiver), headers: {}, body: '' } as const;
  const cut = expect(outbound.send(request)).rejects.toThrow('closed');
  outbound.close();
  await cut;
  await expect(outbound.send(request)).rejects.toThrow('closed');
});

test.each([
  ['https://user:secret@receiver.example/hook?token=abc&x=1#f', 'https://***@receiver.example/hook?token=***&x=***'],
  ['https://receiver.example:8443/hook', 'https://receiver.example:8443/hook'],
  ['no uri', '***'],
])('an address is shown without its secrets: %s', (uri, shown) => {
  expect(maskUri(uri)).toBe(shown);
});
