import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App, Closable } from './app';

export interface Listening extends Closable {
  readonly port: number;
  readonly server: Server;
  /**
   * Sends `Connection: close` with every answer from now on, so that no client reuses a connection that is about to
   * close.
   */
  endConnections(): void;
}

/** In milliseconds, for the slowest permitted upload; headers have 10 s. */
const uploadMilliseconds = 300_000;
const drainMilliseconds = 10_000;

/**
 * Serves an app on `port` (0 picks a free one). On close, running requests may finish within 10 s, then they are
 * aborted.
 */
export async function listen(
  { http, guard }: Pick<App, 'http' | 'guard'>,
  port: number,
  host = '0.0.0.0',
): Promise<Listening> {
  const server = createServer(
    // Longer than the idle timeout of the gateway's pool, so that no connection closes under a request.
    { keepAliveTimeout: 65_000, headersTimeout: 10_000, requestTimeout: uploadMilliseconds },
    http,
  );
  guard?.(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  let ending = false;
  const open = new Set<ServerResponse>();
  server.prependListener('request', (_req, res) => {
    if (ending) res.setHeader('Connection', 'close');
    else open.add(res.once('close', () => open.delete(res)));
  });
  return {
    port: (server.address() as AddressInfo).port,
    server,
    endConnections() {
      ending = true;
      for (const res of open) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
    close: () => drain(server),
  };
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
