import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

interface Body {
  readonly event: string;
  readonly object_id?: number;
  readonly object_nodeID?: string;
  readonly payload?: { readonly callback?: string };
}

export interface Delivery {
  readonly id: string;
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** A receiver whose URL contains credentials and a key; it stores deliveries by record. */
export async function startReceiver(credentials: string, key: string) {
  const byObject = new Map<string, Delivery[]>();
  const unanswered = new Set<Delivery>();
  let callback: string | undefined;
  let milliseconds = 0;
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => void hear(text));
    async function hear(received: string): Promise<void> {
      const body = JSON.parse(received) as Body;
      if (body.event === 'webhook.verify') callback = body.payload?.callback;
      const object = body.object_nodeID ?? '';
      const id = String(req.headers['x-service-delivery']);
      const delivery = { id, at: Date.now(), headers: req.headers, body };
      byObject.set(object, [...(byObject.get(object) ?? []), delivery]);
      if (milliseconds > 0) {
        unanswered.add(delivery);
        await pause(milliseconds);
        unanswered.delete(delivery);
      }
      res.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    uri: `http://${credentials}@127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=${key}`,
    callback: () => callback,
    deliveriesOf: (object: string): readonly Delivery[] => byObject.get(object) ?? [],
    /** Deliveries of records, without the verification. */
    deliveries: (): readonly Delivery[] =>
      [...byObject.values()].flat().filter(({ body }) => body.event !== 'webhook.verify'),
    /** Delays each answer from now on. */
    slowDown: (to: number) => (milliseconds = to),
    /** Received calls without an answer yet. */
    unanswered: (): readonly Delivery[] => [...unanswered],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
