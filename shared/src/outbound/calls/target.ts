import { isIP } from 'node:net';
import { isReachable } from './address';

/** Where a request goes: the address without its credentials, which stand in `authorization`. */
export interface Target {
  readonly url: URL;
  /** Without the brackets of an IPv6 literal. */
  readonly hostname: string;
  readonly port: number;
  readonly authorization: string | undefined;
}

export type RefusalReason = 'uri' | 'scheme' | 'port' | 'address';

const publicPorts = new Set([443, 80, 8443]);

/** The target of `text`, or why the guard refuses it before anything is looked up. */
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

/** Credentials in the address become a Basic header (RFC 7617 §2). */
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
