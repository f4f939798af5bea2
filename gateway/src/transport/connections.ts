import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createTally } from '@itsm/shared/base/concurrency/tally';
import { networkOf } from '@itsm/shared/base/ids/network';
import type { Peers } from './peers';

/**
 * Concurrent connections to one gateway process: of one address (an IPv6 /64 counts as one) that is no trusted proxy,
 * and of all.
 */
export const mostConnections = { address: 1_024, overall: 10_000 };

const refusal = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** Refuses connections over the limits: per address with a 503 and a close, over all without accepting it. */
export function limitConnections(server: Server, peers: Pick<Peers, 'peerOf'>, most = mostConnections): void {
  const connections = createTally(most.address);
  server.maxConnections = most.overall;
  server.prependListener('connection', (socket: Socket) => {
    const { address, isTrusted } = peers.peerOf(socket);
    // A trusted proxy multiplexes many clients and has limits of its own.
    if (isTrusted) return;
    const network = networkOf(address);
    const isTooMany = connections.left(network) <= 0;
    connections.add(network, 1);
    socket.once('close', () => connections.add(network, -1));
    if (isTooMany) socket.end(refusal, () => socket.destroy());
  });
}
