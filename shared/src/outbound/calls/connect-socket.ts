import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';

/** How long an address may stay silent before the next one of the same name is tried. */
const patienceMilliseconds = 2_500;

/** A connection to the first of `addresses` that takes it. They were checked: no name is looked up here. */
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

/** Secures `socket` for `hostname`, whose certificate is always verified. */
export function secureSocket(
  socket: Socket,
  hostname: string,
  ca: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    host: hostname,
    // RFC 6066 §3: a literal address is no server name.
    servername: isIP(hostname) === 0 ? hostname : '',
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca && { ca: [...ca] }),
  });
  return whenReady(secured, 'secureConnect', signal);
}

async function whenReady<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  // Errors after the wait are reported by the user of the socket; without a listener they would end the process.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
