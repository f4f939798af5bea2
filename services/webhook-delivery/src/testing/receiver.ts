import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly body: string;
}

/** A webhook receiver on a free loopback port that records the calls. */
export interface Receiver {
  readonly uri: string;
  readonly calls: readonly Call[];
  close(): Promise<void>;
}

/** `answer` gets the number of the call, from 1; it may leave the call unanswered. */
export async function startReceiver(answer: (res: ServerResponse, call: number) => void): Promise<Receiver> {
  const calls: Call[] = [];
  const open = new Set<Socket>();
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      calls.push({ headers: req.headers, path: req.url ?? '', body });
      answer(res, calls.length);
    });
  });
  server.on('connection', (socket) => open.add(socket.on('close', () => open.delete(socket))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    async close() {
      open.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
