import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';

/** How long to wait for one address before the next one of the same name is tried. */
const patienceMilliseconds = 2_500;

/** Connects to the first of `addresses` that accepts. They have been checked by the guard; no name is resolved here. */
export async function connectSocket(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const [address = '', ...others] = addresses;
  if (others.length === 0) return dial(address, port, signal);
  try {
    return await dial(address, port, AbortSignal.any([signal, AbortSignal.timeout(patienceMilliseconds)]));
  } catch (error) {
    if (signal.aborted) throw error;
    return connectSocket(others, port, signal);
  }
}

const dial = (address: string, port: number, signal: AbortSignal): Promise<Socket> =>
  whenReady(connect({ host: address, port, noDelay: true, autoSelectFamily: false }), 'connect', signal);

/** Starts TLS on `socket`; the certificate is always verified for `hostname`. */
export function secureSocket(
  socket: Socket,
  hostname: string,
  ca: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    host: hostname,
    // RFC 6066 §3: SNI must not be a literal address.
    servername: isIP(hostname) === 0 ? hostname : '',
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca && { ca: [...ca] }),
  });
  return whenReady(secured, 'secureConnect', signal);
}

async function whenReady<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  // Later errors are handled by the socket's user; an unhandled `error` event would end the process.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
