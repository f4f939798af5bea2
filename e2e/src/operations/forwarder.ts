import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Backend {
  readonly port: number;
  isReady(): Promise<boolean>;
}

/**
 * Emulates the balancer of a service: new connections go round-robin to ready backends, and to any when none is ready, as a
 * kept connection would; open ones stay.
 */
export interface Forwarder {
  readonly port: number;
  countReady(): number;
  /** No new connection goes to a backend that is about to stop (a terminating endpoint), until `admit`. */
  withdraw(port: number): void;
  admit(port: number): void;
  close(): Promise<void>;
}

const lookMilliseconds = 100;

export async function startForwarder(backends: readonly Backend[]): Promise<Forwarder> {
  const ready = new Set<Backend>();
  const withdrawn = new Set<number>();
  const isOpen = (backend: Backend): boolean => !withdrawn.has(backend.port);
  let turn = 0;
  let closed = false;

  async function watch(backend: Backend): Promise<void> {
    while (!closed) {
      if (await backend.isReady().catch(() => false)) ready.add(backend);
      else ready.delete(backend);
      await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
    }
  }

  const server = createServer({ noDelay: true }, (client) => {
    turn += 1;
    const best = [...ready].filter(isOpen);
    const open = best.length > 0 ? best : backends.filter(isOpen);
    const backend = open[turn % Math.max(open.length, 1)];
    client.on('error', () => {});
    if (!backend) {
      client.destroy();
      return;
    }
    const upstream = connect({ port: backend.port, host: '127.0.0.1', noDelay: true });
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.end());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const watching = backends.map(watch);
  return {
    port: (server.address() as AddressInfo).port,
    countReady: () => [...ready].filter(isOpen).length,
    withdraw: (port) => void withdrawn.add(port),
    admit: (port) => void withdrawn.delete(port),
    async close() {
      closed = true;
      server.close();
      await Promise.all(watching);
    },
  };
}
