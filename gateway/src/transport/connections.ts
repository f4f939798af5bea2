import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createTally } from '@itsm/shared/base/concurrency/tally';
import { networkOf } from '@itsm/shared/base/ids/network';
import type { Peers } from './peers';

/** Connections at once to one process of the gateway: of one address (one /64 of IPv6) that is no trusted proxy, and of all. */
export const mostConnections = { address: 1_024, overall: 10_000 };

const refusal = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** Answers one connection too many of an address with 503 and closes it, whatever it sends; one too many of all is not accepted. */
export function limitConnections(server: Server, peers: Pick<Peers, 'peerOf'>, most = mostConnections): void {
  const connections = createTally(most.address);
  server.maxConnections = most.overall;
  server.prependListener('connection', (socket: Socket) => {
    const { address, isTrusted } = peers.peerOf(socket);
    // A trusted proxy carries the connections of many clients, and has limits of its own.
    if (isTrusted) return;
    const network = networkOf(address);
    const isTooMany = connections.left(network) <= 0;
    connections.add(network, 1);
    socket.once('close', () => connections.add(network, -1));
    if (isTooMany) socket.end(refusal, () => socket.destroy());
  });
}
