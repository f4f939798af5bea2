import { serve, startHttpReceiver, startTcpReceiver } from '@itsm/shared/testing/receiver-kit';
import type { Receiver } from '@itsm/shared/testing/receiver-kit';
import { createOutbound } from '@itsm/shared/outbound/calls/outbound';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ErrorClass } from '../deliveries/delivery';
import { long, startPlatform } from '../testing/platform';
import type { Platform, Service } from '../testing/platform';

let platform: Platform;
const receivers: Receiver[] = [];
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await platform.clear();
});
afterAll(() => platform.close());

const tcp = (answer: (socket: Socket) => void) =>
  startTcpReceiver((socket) => void socket.once('data', () => answer(socket)));
const http = (answer: (res: ServerResponse) => void) => startHttpReceiver((_req, res) => answer(res));

function drip(write: () => void, closes: { on(event: 'close', done: () => void): unknown }): void {
  const timer = setInterval(write, 20);
  closes.on('close', () => clearInterval(timer));
}

const pour = (res: ServerResponse): void => pourCounted(res, { bytes: 0 });

/** Sends an endless body; `sent` counts the bytes that the connection accepted. */
function pourCounted(res: ServerResponse, sent: { bytes: number }): void {
  const chunk = Buffer.alloc(65_536);
  const write = () => {
    while (!res.destroyed && res.write(chunk)) sent.bytes += chunk.length;
  };
  res.writeHead(200).on('drain', write);
  write();
}

const delivered = { outcome: 'delivered', fault: null, status: 200, errorClass: null };
const noAnswer = (errorClass: ErrorClass, error: string) => ({
  outcome: 'failed',
  fault: 'receiver',
  status: null,
  errorClass,
  error,
});
const timeout = noAnswer('timeout', 'No answer in time');

const kinds = [
  [
    '500',
    () => http((res) => res.writeHead(500).end()),
    { outcome: 'failed', fault: 'receiver', status: 500, errorClass: 'http_status' },
  ],
  [
    '301 to the metadata of the cloud',
    () => http((res) => res.writeHead(301, { Location: 'http://169.254.169.254/latest/' }).end()),
    { outcome: 'failed', fault: 'receiver', status: 301, errorClass: 'redirect' },
  ],
  ...[300, 302, 303, 307, 308].map(
    (status) =>
      [
        `${status} with a Location`,
        () => http((res) => res.writeHead(status, { Location: '/elsewhere' }).end()),
        {
          outcome: 'failed',
          fault: 'receiver',
          status,
          errorClass: 'redirect',
          error: `The receiver answered ${status}; redirects are not followed`,
        },
      ] as const,
  ),
  ...[300, 301, 302, 304, 305, 306, 307, 308, 399].map(
    (status) =>
      [
        `${status} that leads nowhere`,
        () => http((res) => res.writeHead(status, status === 304 ? { Location: '/elsewhere' } : {}).end()),
        {
          outcome: 'failed',
          fault: 'receiver',
          status,
          errorClass: 'http_status',
          error: `The receiver answered ${status}`,
        },
      ] as const,
  ),
  ...['100 Continue', '102 Processing', '103 Early Hints'].map(
    (status) =>
      [
        `${status} that nobody asked for`,
        () =>
          tcp((socket) =>
            socket.write(`${`HTTP/1.1 ${status}\r\n\r\n`.repeat(3)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`),
          ),
        delivered,
      ] as const,
  ),
  ['hangs before the headers', () => http(() => {}), timeout],
  ['takes the connection and says nothing', () => startTcpReceiver(() => {}), timeout],
  [
    'drips its headers',
    () => tcp((socket) => socket.write('HTTP/1.1 200 OK\r\n') && drip(() => socket.write('X-Drip: 1\r\n'), socket)),
    timeout,
  ],
  ['never ends its body', () => http(pour), delivered],
  [
    'has headers without end',
    () => tcp((socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`)),
    noAnswer('protocol', 'The answer is not valid HTTP (HPE_HEADER_OVERFLOW)'),
  ],
  [
    'resets the connection',
    () => tcp((socket) => socket.resetAndDestroy()),
    { outcome: 'failed', errorClass: 'reset' },
  ],
  [
    'speaks no HTTP',
    () => tcp((socket) => socket.end('220 smtp.example ESMTP\r\n')),
    { outcome: 'failed', fault: 'receiver', errorClass: 'protocol' },
  ],
] as const;

async function deliverTo(service: Service, receiver: Receiver): Promise<object> {
  receivers.push(receiver);
  const { deliveryId } = await service.request(`http://127.0.0.1:${receiver.port}/hook`);
  const { attempts } = await waitUntil('the attempt', async () => {
    const found = await service.stored(deliveryId);
    return found.attempts.length > 0 ? found : undefined;
  });
  return attempts[0] ?? {};
}

test.each(kinds)('a receiver that %s', async (_kind, start, expected) => {
  const timeoutMilliseconds = expected === timeout ? 600 : long;
  const outbound = createOutbound({ allowInsecure: true, timeoutMilliseconds });
  const service = await platform.start({ outbound });
  const receiver = await start();
  expect(await deliverTo(service, receiver)).toMatchObject(expected);
  expect(receiver.connections()).toBe(1);
});

describe('a certificate', () => {
  const fixture = (name: string) =>
    readFileSync(join(__dirname, '../../../../shared/src/outbound/calls/fixtures', name), 'utf8');
  const certificate = fixture('receiver-certificate.pem');
  const startSecure = () =>
    serve(createHttpsServer({ cert: certificate, key: fixture('receiver-key.pem') }, (_req, res) => void res.end()));
  const toName = (trusted: boolean) =>
    createOutbound({
      allowInsecure: true,
      timeoutMilliseconds: long,
      lookup: () => Promise.resolve(['127.0.0.1']),
      ...(trusted && { certificateAuthorities: [certificate] }),
    });

  test.each([
    ['that is trusted and for the name', 'receiver.example', true, { outcome: 'delivered', error: null }],
    ['of an unknown issuer', 'receiver.example', false, { outcome: 'failed', fault: 'receiver', status: null }],
    ['of another name', 'other.example', true, { outcome: 'failed', fault: 'receiver', status: null }],
  ] as const)('%s', async (_which, name, trusted, expected) => {
    const service = await platform.start({ outbound: toName(trusted) });
    const receiver = await startSecure();
    receivers.push(receiver);
    const { deliveryId } = await service.request(`https://${name}:${receiver.port}/hook`);
    const result = await waitUntil('its result', () => service.results.find((one) => one.deliveryId === deliveryId));
    expect(result).toMatchObject(expected);
    const { attempts } = await service.stored(deliveryId);
    expect(attempts[0]?.errorClass ?? null).toBe(result.outcome === 'failed' ? 'tls' : null);
    if (result.outcome === 'failed') expect(result.error).toMatch(/^The connection could not be secured \([A-Z_]+\)$/);
  });
});

test('a receiver that drips its body: its status counts when the time is over', async () => {
  let endTime = (): void => undefined;
  const startTimer = (end: () => void) => {
    endTime = end;
    return () => undefined;
  };
  const service = await platform.start({ outbound: createOutbound({ allowInsecure: true, startTimer }) });
  let drops = 0;
  const receiver = await http((res) =>
    drip(() => {
      res.write('.');
      // Receiver and client share an event loop: the client has read the first drops long ago.
      if ((drops += 1) === 20) endTime();
    }, res.writeHead(200)),
  );
  expect(await deliverTo(service, receiver)).toMatchObject(delivered);
});

test('a receiver has ten seconds: an answer before they are over counts, one after does not', async () => {
  const timers: { milliseconds: number; end: () => void }[] = [];
  const startTimer = (end: () => void, milliseconds: number) => {
    timers.push({ milliseconds, end });
    return () => undefined;
  };
  const service = await platform.start({ outbound: createOutbound({ allowInsecure: true, startTimer }) });
  const waiting: ServerResponse[] = [];
  const receiver = await http((res) => void waiting.push(res));
  receivers.push(receiver);
  const request = async (count: number) => {
    const { deliveryId } = await service.request(`http://127.0.0.1:${receiver.port}/hook`);
    await waitUntil('the call', () => waiting.length === count);
    return () => waitUntil('the result', () => service.results.find((one) => one.deliveryId === deliveryId));
  };
  const early = await request(1);
  const late = await request(2);
  expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([10_000, 10_000]);
  waiting[0]?.end();
  expect(await early()).toMatchObject({ outcome: 'delivered' });
  timers[1]?.end();
  expect(await late()).toMatchObject({ outcome: 'failed', error: 'No answer in time' });
});

test('of twenty endless bodies hardly anything is read', async () => {
  const service = await platform.start();
  const sent = { bytes: 0 };
  const receiver = await http((res) => pourCounted(res, sent));
  receivers.push(receiver);
  for (let count = 0; count < 20; count += 1) {
    await service.settled((await service.request(`http://127.0.0.1:${receiver.port}/hook`)).deliveryId);
  }
  // Not zero: the operating system buffers some megabytes of each.
  expect(sent.bytes / 20).toBeLessThan(10_000_000);
});
