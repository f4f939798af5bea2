import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { badRequest } from '@itsm/shared/base/errors/app-error';

/** The client's side of a request, seen through trusted proxies. */
export interface Peers {
  /** The peer of a connection. */
  peerOf(socket: Socket): Peer;
  /** True over https, from this machine, or from anywhere if plain http is allowed. */
  isSecure(req: IncomingMessage): boolean;
  /** Whether the client uses https. */
  isHttps(req: IncomingMessage): boolean;
  /** The client's address: the nearest one that is not a trusted proxy. */
  clientAddress(req: IncomingMessage): string;
  /** Whether the peer is a trusted proxy. */
  isTrusted(req: IncomingMessage): boolean;
  /** The host that the client requested. */
  host(req: IncomingMessage): string | undefined;
  /** `X-Forwarded-For`, `-Proto` and `-Host` for the services, each with one value. */
  forwarded(req: IncomingMessage): Readonly<Record<string, string>>;
}

export interface Peer {
  readonly address: string;
  readonly isTrusted: boolean;
  readonly isLoopback: boolean;
}

export function createPeers(trustedProxies: readonly string[], allowPlainHttp = false): Peers {
  const trusted = addressList(trustedProxies);
  const loopback = addressList(['127.0.0.0/8', '::1']);
  const known = new WeakMap<Socket, Peer>();

  /** Cached per socket, since the peer of a connection does not change. */
  function peerOf(socket: Socket): Peer {
    const found = known.get(socket);
    if (found) return found;
    const address = plainAddress(socket.remoteAddress ?? '');
    const peer = { address, isTrusted: contains(trusted, address), isLoopback: contains(loopback, address) };
    // A socket has no address before it is connected.
    if (address !== '') known.set(socket, peer);
    return peer;
  }
  const isTrusted = (req: IncomingMessage): boolean => peerOf(req.socket).isTrusted;

  function protocolOf(req: IncomingMessage): string {
    const given = isTrusted(req) ? headerOf(req, 'x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase() : undefined;
    if (given === 'https' || given === 'http') return given;
    return 'encrypted' in req.socket && req.socket.encrypted ? 'https' : 'http';
  }

  /** A request from this machine that was not proxied for a client elsewhere. */
  const isFromHere = (req: IncomingMessage): boolean =>
    peerOf(req.socket).isLoopback && !(isTrusted(req) && req.headers['x-forwarded-proto'] !== undefined);

  /** Each proxy appends its peer's address, so read from the right for as long as the proxies are trusted. */
  function clientAddress(req: IncomingMessage): string {
    const peer = peerOf(req.socket);
    if (!peer.isTrusted) return peer.address;
    let client = peer.address;
    for (const entry of (headerOf(req, 'x-forwarded-for') ?? '').split(',').reverse()) {
      const address = addressOf(entry);
      if (!contains(trusted, client) || address === undefined) break;
      client = address;
    }
    return client;
  }

  /** The last of several values: each proxy appends the host that it was asked for. */
  const hostOf = (req: IncomingMessage): string | undefined =>
    (isTrusted(req) ? headerOf(req, 'x-forwarded-host')?.split(',').at(-1)?.trim() : undefined) ?? req.headers.host;

  return {
    peerOf,
    clientAddress,
    isTrusted,
    host: hostOf,
    isHttps: (req) => protocolOf(req) === 'https',
    isSecure: (req) => allowPlainHttp || protocolOf(req) === 'https' || isFromHere(req),
    forwarded(req) {
      const host = hostOf(req);
      return {
        'x-forwarded-for': clientAddress(req),
        'x-forwarded-proto': protocolOf(req),
        ...(host !== undefined && { 'x-forwarded-host': host }),
      };
    },
  };
}

export function checkSecure(peers: Peers, req: IncomingMessage): void {
  if (!peers.isSecure(req)) throw badRequest('HTTPS is required');
}

/** The address of an entry in `X-Forwarded-For`, which may have a port; undefined when it is invalid. */
function addressOf(entry: string): string | undefined {
  const [, bracketed, dotted, bare = ''] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$|^(.*)$/.exec(entry.trim()) ?? [];
  const address = plainAddress(bracketed ?? dotted ?? bare);
  return isIP(address) === 0 ? undefined : address;
}

/** Unwraps an IPv4-mapped IPv6 address, as dual-stack sockets report it. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/i, '');

/** A header as one text; repeated headers are joined. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function addressList(items: readonly string[]): BlockList {
  const list = new BlockList();
  for (const item of items) {
    const [address = '', bits] = item.split('/');
    const type = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}

const contains = (list: BlockList, address: string): boolean =>
  address !== '' && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** The number of times a header (in lower case) was sent; node shows the first of several that may occur only once. */
export function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  // Names and values alternate.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index];
    if (given?.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}
