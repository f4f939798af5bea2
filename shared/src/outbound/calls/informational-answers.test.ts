import { createOutbound } from './outbound';
import type { OutboundOptions } from './outbound';
import { startTcpReceiver } from '../../testing/receiver-kit';
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

const http = ({ port }: Receiver) => `http://127.0.0.1:${port}/hook?x=1`;

const final = 'HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n';
const early = (status: string, count = 1) => `HTTP/1.1 ${status}\r\n\r\n`.repeat(count);

test.each([
  ['100', early('100 Continue')],
  ['100 with a header', 'HTTP/1.1 100 Continue\r\nX-A: 1\r\nContent-Length: 0\r\n\r\n'],
  ['102', early('102 Processing')],
  ['103', early('103 Early Hints')],
  ['one that nobody knows', early('199 Whatever')],
  ['several of a kind', early('100 Continue', 5)],
  [
    'several kinds',
    early('100 Continue') + early('102 Processing', 3) + early('103 Early Hints') + early('100 Continue'),
  ],
] as const)(
  'informational answers nobody asked for are passed over, and the answer counts: %s',
  async (_which, text) => {
    for (const pieces of [[text + final], [text, final], [...text, ...final]]) {
      const receiver = await started(
        startTcpReceiver((socket) => {
          const answer = async () => {
            for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
          };
          socket.on('data', () => void answer());
        }),
      );
      const outbound = createOutbound({ allowInsecure: true });
      const request = { method: 'POST', url: http(receiver), headers: {}, body: '{}' } as const;
      expect(await outbound.send(request)).toMatchObject({ kind: 'answered', status: 201 });
      expect(await outbound.send(request)).toMatchObject({ kind: 'answered', status: 201 });
      // The connection is as good as any.
      expect(receiver.connections()).toBe(1);
      outbound.close();
    }
  },
);

test('informational answers before a document are passed over too', async () => {
  const body = '{"keys":[]}';
  const document = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const receiver = await started(
    startTcpReceiver((socket) => void socket.once('data', () => socket.write(early('100 Continue', 2) + document))),
  );
  const outbound = createOutbound({ allowInsecure: true });
  for (const sent of [undefined, { headers: {}, body: 'a=1' }])
    expect(await outbound.fetchJson(http(receiver), sent)).toMatchObject({ kind: 'fetched', document: { keys: [] } });
});

test('a receiver that only sends informational answers has no thousand and one', async () => {
  const receiver = await started(
    startTcpReceiver((socket) => void socket.once('data', () => socket.write(early('100 Continue', 1_001) + final))),
  );
  expect(await post(http(receiver), { timeoutMilliseconds: 10_000 })).toMatchObject({
    kind: 'failed',
    because: 'protocol',
    message: 'The answer is not valid HTTP (ERR_TOO_MANY_INFORMATIONAL)',
  });
});

test('endless informational responses do not extend the deadline', async () => {
  const receiver = await started(
    startTcpReceiver((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    }),
  );
  expect(await post(http(receiver))).toMatchObject({ kind: 'failed', because: 'timeout' });
});
