import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Body {
  readonly event: string;
  readonly object_nodeID?: string;
  readonly payload?: { readonly callback?: string };
}

export interface Delivery {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** A receiver that is registered with credentials and a key in its address, and keeps what it gets by record. */
export async function startReceiver(credentials: string, key: string) {
  const byObject = new Map<string, Delivery[]>();
  let callback: string | undefined;
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => {
      res.end();
      const body = JSON.parse(text) as Body;
      if (body.event === 'webhook.verify') callback = body.payload?.callback;
      const object = body.object_nodeID ?? '';
      const delivery = { id: String(req.headers['x-service-delivery']), headers: req.headers, body };
      byObject.set(object, [...(byObject.get(object) ?? []), delivery]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    uri: `http://${credentials}@127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=${key}`,
    callback: () => callback,
    deliveriesOf: (object: string): readonly Delivery[] => byObject.get(object) ?? [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
