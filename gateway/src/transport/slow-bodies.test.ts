import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { bodyPace } from './body-pace';
import type { Timer } from './body-pace';

/** A timer that the test advances. */
function createTime() {
  let now = 0;
  const waits = new Set<{ readonly at: number; readonly work: () => void }>();
  const timer: Timer = {
    now: () => now,
    after(milliseconds, work) {
      const wait = { at: now + milliseconds, work };
      waits.add(wait);
      return () => void waits.delete(wait);
    },
  };
  return {
    timer,
    isWatching: () => waits.size > 0,
    pass(milliseconds: number) {
      now += milliseconds;
      for (const wait of waits) {
        if (wait.at > now) continue;
        waits.delete(wait);
        wait.work();
      }
    },
  };
}

const time = createTime();
const portOf = ({ url }: StartedGateway): number => Number(new URL(url).port);
let gateway: StartedGateway;
let socket: Socket | undefined;
/** By path: the request as the gateway sees it, before a service does. */
const requests = new Map<string | undefined, IncomingMessage>();
beforeAll(async () => {
  gateway = await startGateway({ bounds: { timer: time.timer } });
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { readonly request: IncomingMessage };
    // Other servers of this process get requests too, such as for the schemas of the services.
    const isOwn = request.socket.localPort === portOf(gateway);
    if (isOwn && !requests.has(request.url)) requests.set(request.url, request);
  });
});
afterEach(() => void socket?.destroy());
afterAll(() => gateway.close());

const bytes = 2 * bodyPace.bytesPerSecond;

/** Sends a part of a body, and waits until the gateway has received it. */
async function send(path: string, headers: string) {
  let answer = '';
  socket = connect(portOf(gateway), '127.0.0.1');
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (answer += String(chunk)));
  const authorization = `Authorization: Bearer ${gateway.auth.issue()}\r\nX-Service-Account: wdc\r\n`;
  requests.delete(path);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${authorization}${headers}Content-Length: 100000\r\n\r\n`;
  socket.write(head);
  await waitUntil('the body to be watched', time.isWatching);
  socket.write('x'.repeat(bytes));
  await waitUntil('the body to be read', () => {
    const seen = requests.get(path);
    // An import is paused until its service asks for it.
    return seen?.socket.bytesRead === head.length + bytes && seen.readableFlowing;
  });
  return () => answer;
}

test.each([
  ['a call of GraphQL', '/graphql', 'Content-Type: application/json\r\n'],
  ['a call of REST', '/v1/requests', 'Content-Type: application/json\r\n'],
  ['an import', '/v1/import', 'Content-Type: multipart/form-data; boundary=x\r\n'],
  ['a token request', '/oauth/token', 'Content-Type: application/x-www-form-urlencoded\r\n'],
])(
  'the body of %s that comes too slowly is refused with 408 when it is late, and its connection ends',
  async (_what, path, headers) => {
    const answer = await send(path, headers);
    // The base time, and the time for the bytes received.
    time.pass(bodyPace.milliseconds + 1_000);
    expect(time.isWatching()).toBe(true);
    time.pass(1_001);
    await waitUntil('the end of the connection', () => socket?.destroyed);
    expect(answer()).toMatch(/^HTTP\/1\.1 408 [^]*Connection: close[^]*The body came too slowly/);
    expect(time.isWatching()).toBe(false);
  },
);

test('a body that is complete in time is answered, and no longer watched', async () => {
  const answer = await send('/v1/requests', '');
  time.pass(bodyPace.milliseconds);
  socket?.write('x'.repeat(100_000 - bytes));
  await waitUntil('an answer', () => answer() !== '');
  expect(answer()).toMatch(/^HTTP\/1\.1 200 /);
  expect(time.isWatching()).toBe(false);
});
