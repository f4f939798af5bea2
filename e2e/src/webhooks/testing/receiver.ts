import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@itsm/shared/testing/wait-until';

/** A received call. */
export interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface Receiver {
  uriOf(path: string): string;
  /** The first call to `path` that was not taken yet; waits for it. */
  next(path: string): Promise<Call>;
  /** Sets the status for calls to `path` from now on; 204 by default. */
  answer(path: string, status: number): void;
  close(): void;
}

/** Receives webhook calls on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const calls: Call[] = [];
  const statuses = new Map<string, number>();
  const server = createServer(async (req, res) => {
    const path = req.url ?? '/';
    let text = '';
    for await (const chunk of req) text += String(chunk);
    calls.push({ path, headers: req.headers, body: JSON.parse(text) as Call['body'] });
    res.writeHead(statuses.get(path) ?? 204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const take = (path: string): Call | undefined => {
    const at = calls.findIndex((call) => call.path === path);
    return at === -1 ? undefined : calls.splice(at, 1)[0];
  };
  return {
    uriOf: (path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    next: (path) => waitUntil(`a call of ${path}`, () => take(path)),
    answer: (path, status) => void statuses.set(path, status),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
