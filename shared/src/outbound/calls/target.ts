import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { IPv4, IPv6 } from 'ipaddr.js';

/** The target of a request: the URL without its credentials, which are in `authorization`. */
export interface Target {
  readonly url: URL;
  /** Without the brackets of an IPv6 literal. */
  readonly hostname: string;
  readonly port: number;
  readonly authorization: string | undefined;
}

export type RefusalReason = 'uri' | 'scheme' | 'port' | 'address';

const publicPorts = new Set([443, 80, 8443]);

/** Parses the target; returns the guard's reason when it is refused before any look-up. */
export function parseTarget(text: string, allowInsecure: boolean): Target | RefusalReason {
  if (!URL.canParse(text)) return 'uri';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowInsecure && url.protocol === 'http:')) return 'scheme';
  const port = portOf(url);
  if (!allowInsecure && !publicPorts.has(port)) return 'port';
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(hostname) !== 0 && !isReachable(hostname, allowInsecure)) return 'address';
  const authorization = basicOf(url);
  url.username = url.password = url.hash = '';
  return { url, hostname, port, authorization };
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** Credentials in the URL become a Basic header (RFC 7617 §2). */
function basicOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Azure's metadata and DNS endpoint is in the public range. */
const publicMetadata = new Set(['168.63.129.16']);
const globalUnicast: [IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Whether `address` may be connected to: public unicast, and loopback if allowed. False for unparsable text. */
export function isReachable(address: string, allowLoopback: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Unwraps IPv4-mapped forms, since the socket would connect to the IPv4 address.
  const parsed = ipaddr.process(address);
  if (allowLoopback && parsed.range() === 'loopback') return true;
  return parsed.kind() === 'ipv4' ? isPublicIPv4(parsed as IPv4) : isPublicIPv6(parsed as IPv6);
}

const isPublicIPv4 = (address: IPv4): boolean =>
  address.range() === 'unicast' && !publicMetadata.has(address.toString());

/** ipaddr.js also calls addresses outside 2000::/3 unicast; those embed an IPv4 address or are unassigned. */
const isPublicIPv6 = (address: IPv6): boolean =>
  address.match(globalUnicast) && address.range() === 'unicast' && !isIsatap(address);

/** RFC 5214 §6.1: an interface id `[02]00:5efe` embeds an IPv4 address. */
const isIsatap = ({ parts }: IPv6): boolean => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
