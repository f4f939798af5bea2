import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Closable } from '@itsm/shared/running/app';

const verification = z.object({ event: z.literal('webhook.verify'), payload: z.object({ callback: z.url() }) });

/** What answers 500, so that there is a webhook that fails. */
export const failingPath = '/pager';

export interface DemoReceiver extends Closable {
  readonly port: number;
}

/**
 * Receives the calls of the demo's webhooks on loopback. It opens the callback of a verification if it is at `origin`,
 * and answers 204, at `failingPath` 500. Rejects when the port is taken; 0 takes a free one.
 */
export async function openReceiver(port: number, origin: string): Promise<DemoReceiver> {
  const server = createServer((request, response) => {
    void statusFor(request, origin).then((status) => response.writeHead(status).end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function statusFor(request: IncomingMessage, origin: string): Promise<number> {
  try {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const asked = verification.safeParse(JSON.parse(text));
    if (!asked.success) return request.url === failingPath ? 500 : 204;
    const { callback } = asked.data.payload;
    if (new URL(callback).origin !== origin) return 400;
    const { ok } = await fetch(callback, { method: 'POST' });
    return ok ? 204 : 502;
  } catch {
    return 400;
  }
}
