import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A TCP proxy by which a test can cut or freeze connections. */
export interface TcpProxy {
  readonly port: number;
  /** Destroys every connection abruptly. */
  cut(): void;
  /** Stops all traffic in both directions until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Listens on the port `own`, by default on a free one. */
export async function startTcpProxy(host: string, port: number, own = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
    if (frozen) socket.pause();
  };
  const server = createServer((near) => {
    const far = connect(port, host);
    keep(near, far);
    keep(far, near);
  });
  await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze() {
      frozen = true;
      sockets.forEach((socket) => socket.pause());
    },
    thaw() {
      frozen = false;
      sockets.forEach((socket) => socket.resume());
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
