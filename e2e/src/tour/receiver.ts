import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, ListenOptions } from 'node:net';

export interface Received {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** Where a receiver listens, and its URL for another process. */
export interface ReceiverPlace {
  readonly listen: ListenOptions;
  readonly uri: string;
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** The status for a delivery to this path; 200 by default. */
  readonly status?: (path: string) => number;
}

export interface Receiver {
  readonly uri: string;
  readonly received: readonly Received[];
  /** The first matching delivery; waits for it. */
  next(fits: (delivery: Received) => boolean): Promise<Received>;
  close(): Promise<void>;
}

/** It ends a tour whose delivery never comes. A test ends at its own limit. */
const longestWait = 240_000;

/** A webhook receiver that stores deliveries; on loopback, unless `place` is given. */
export async function startReceiver(place?: ReceiverPlace): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        at: Date.now(),
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
      });
      response.writeHead(place?.status?.(request.url ?? '/') ?? 200).end();
      for (const wake of waiting) wake();
    });
  };
  const { certificate } = place ?? {};
  const server = certificate
    ? createTlsServer({ cert: certificate.certificate, key: certificate.key }, listener)
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(place?.listen ?? { port: 0, host: '127.0.0.1' }, resolve));
  const uri = place?.uri ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;

  return {
    uri,
    received,
    next(fits) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = received.find(fits);
          if (found) settle(() => resolve(found));
        };
        const late = setTimeout(
          () => settle(() => reject(new Error(`no such delivery within ${longestWait / 1_000} s`))),
          longestWait,
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
