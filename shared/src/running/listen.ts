import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { idleMilliseconds } from '../api/http/idle-connections';
import { withDeadline } from '../base/concurrency/deadline';
import type { App, Closable } from './app';

export interface Listening extends Closable {
  readonly port: number;
  readonly server: Server;
  /**
   * Sends `Connection: close` with every answer from now on. Resolves when no client has a connection any more, or after
   * `longest` milliseconds, by default 5 s, in which our own processes have closed what they did not use.
   */
  farewell(longest?: number): Promise<void>;
}

/** In milliseconds, for the slowest permitted upload; headers have 10 s. */
const uploadMilliseconds = 300_000;
const drainMilliseconds = 10_000;
const farewellMilliseconds = idleMilliseconds + 1_000;

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
  let noneLeft = (): void => undefined;
  const open = new Set<ServerResponse>();
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => {
      connections.delete(socket);
      if (connections.size === 0) noneLeft();
    });
  });
  server.prependListener('request', (_req, res) => {
    if (ending) res.setHeader('Connection', 'close');
    else open.add(res.once('close', () => open.delete(res)));
  });
  return {
    port: (server.address() as AddressInfo).port,
    server,
    async farewell(longest = farewellMilliseconds) {
      ending = true;
      for (const res of open) if (!res.headersSent) res.setHeader('Connection', 'close');
      if (connections.size === 0) return;
      const allLeft = new Promise<void>((resolve) => (noneLeft = resolve));
      await withDeadline(allLeft, longest, 'clients').catch(() => undefined);
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
