import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A receiver on loopback that counts its connections. */
export interface Receiver {
  readonly port: number;
  connections(): number;
  close(): Promise<void>;
}

export const startHttpReceiver = (answer: RequestListener): Promise<Receiver> => serve(createServer(answer));

/** `answer` handles the bare TCP connection. */
export const startTcpReceiver = (answer: (socket: Socket) => void): Promise<Receiver> => serve(createTcpServer(answer));

export async function serve(server: Server): Promise<Receiver> {
  const open = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count += 1;
    open.add(socket.on('close', () => open.delete(socket)).on('error', () => {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    async close() {
      open.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
