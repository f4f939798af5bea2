import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A webhook receiver on loopback that answers 200 and remembers what came. */
export async function startReceiver(port = 0) {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        at: Date.now(),
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
      });
      response.writeHead(200).end();
      for (const wake of waiting) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;

  return {
    uri: `http://127.0.0.1:${address.port}/webhook`,
    port: address.port,
    received,
    /** The first delivery that fits; rejects when none has come in time. */
    next(fits: (delivery: Received) => boolean, milliseconds: number): Promise<Received> {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = received.find(fits);
          if (found) settle(() => resolve(found));
        };
        const late = setTimeout(
          () => settle(() => reject(new Error(`no such delivery within ${milliseconds} ms`))),
          milliseconds,
        );
        const settle = (act: () => void): void => {
          clearTimeout(late);
          waiting.delete(look);
          act();
        };
        waiting.add(look);
        look();
      });
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
