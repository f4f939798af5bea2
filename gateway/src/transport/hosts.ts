import { hostNames, isAccountId } from '@itsm/shared/api/identity/account-id';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';

/** The meaning of a host name; `nobody` is for names that are not the platform's. */
export type Place =
  | { readonly kind: 'platform' | 'graphql' | 'oauth' | 'nobody' }
  | { readonly kind: 'account'; readonly account: string };

export interface Addresses {
  readonly baseUrl: string;
  readonly accountUrl: string;
}

/** Names or `name:port` that stand for the host of BASE_URL, such as one inside a cluster; `*` for any. */
export type FurtherHosts = readonly string[];

const platform: Place = { kind: 'platform' };
const nobody: Place = { kind: 'nobody' };
const places: Readonly<Record<string, Place>> = {
  api: platform,
  graphql: { kind: 'graphql' },
  oauth: { kind: 'oauth' },
};

/**
 * Maps a `Host` header to its meaning. Further hosts count as that of BASE_URL: no answer depends on them. Any other
 * name, and a port that is not one of the platform's, is nobody's (RFC 9110 §7.4).
 */
export function createHosts(addresses: Addresses, further: FurtherHosts = ['*']): (host: string | undefined) => Place {
  const base = new URL(addresses.baseUrl);
  const suffix = `.${domainOf(addresses)}`;
  const isKnown = createKnownHosts(addresses, further);
  return (host) => {
    if (!isKnown(host)) return nobody;
    if (host === undefined || host === base.host) return platform;
    const name = nameOf(host);
    if (name === base.hostname || !name.endsWith(suffix)) return platform;
    const label = name.slice(0, -suffix.length);
    if (hostNames.includes(label)) return places[label] ?? nobody;
    return isAccountId(label) ? { kind: 'account', account: label } : nobody;
  };
}

function createKnownHosts(addresses: Addresses, further: FurtherHosts): (host: string | undefined) => boolean {
  if (further.includes('*')) return () => true;
  const listed = new Set(further.map((host) => host.toLowerCase()));
  const base = new URL(addresses.baseUrl);
  const suffix = `.${domainOf(addresses)}`;
  const origins = [base, new URL(addresses.accountUrl.replace('{account}', 'a'))];
  const ports = new Set(origins.map(({ port, protocol }) => port || defaultPorts[protocol]));
  return (host = '') => {
    const [, given = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(host) ?? [];
    const name = nameOf(given);
    if (listed.has(name) || listed.has(`${name}:${port}`)) return true;
    return (name === base.hostname || name.endsWith(suffix)) && (port === '' || ports.has(port));
  };
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * The public origin for a `Host` header. Only hosts of the platform get an origin of their own; any other header gives
 * that of BASE_URL. Otherwise another server could replay a DPoP proof that a client made for it, by sending its own
 * name as `Host`.
 */
export function createOrigins(addresses: Addresses): (host: string | undefined) => string {
  const base = new URL(addresses.baseUrl);
  const suffix = `.${domainOf(addresses)}`;
  const hasHosts = /^https?:\/\/\{account\}\./.test(addresses.accountUrl);
  return (host) => {
    const name = host === undefined ? base.hostname : nameOf(host);
    const label = name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
    const isOwn = hostNames.includes(label) || isAccountId(label);
    if (name === base.hostname || !isOwn) return base.origin;
    const url = new URL(hasHosts ? addresses.accountUrl.replace('{account}', label) : addresses.baseUrl);
    url.hostname = name;
    return url.origin;
  };
}

/** The parent domain of the hosts: that of accounts if they have hosts, else the host of BASE_URL. */
export function domainOf({ baseUrl, accountUrl }: Addresses): string {
  const [, domain] = /^https?:\/\/\{account\}\.([^:]+)/.exec(accountUrl) ?? [];
  return domain?.toLowerCase() ?? new URL(baseUrl).hostname;
}

/** Whether an account could take the name of BASE_URL's host, and then be unreachable. */
export function isBaseTaken(addresses: Addresses): boolean {
  const suffix = `.${domainOf(addresses)}`;
  const { hostname } = new URL(addresses.baseUrl);
  const label = hostname.slice(0, -suffix.length);
  return hostname.endsWith(suffix) && isAccountId(label) && !hostNames.includes(label);
}

/** The name in a `Host` header, without port and the dot at the end. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** The equivalent of `target` at `place` on BASE_URL's host; undefined when there is none. */
export function targetAt(place: Place, target: string): string | undefined {
  switch (place.kind) {
    case 'platform':
      return target;
    case 'graphql':
      return /^\/($|\?)/.test(target) ? `/graphql${target.slice(1)}` : target;
    case 'oauth':
      return /^\/($|\?|(oauth|\.well-known)(\/|$))/.test(target) ? target : `/oauth${target}`;
    case 'account':
      return `/accounts/${place.account}${target}`;
    case 'nobody':
      return undefined;
  }
}

/** The request target on BASE_URL's host; "Not Found" when it has none or is ambiguous. */
export function checkTarget(place: Place, given: string): string {
  if (!isPlainTarget(given)) throw notFound();
  const target = targetAt(place, given);
  if (target === undefined) throw new AppError('misdirected_request', 'Misdirected Request');
  return target;
}

/** Authority and rest of a request target in absolute form; undefined for any other (RFC 9112 §3.2.2). */
export function absoluteForm(target: string): { readonly host: string; readonly target: string } | undefined {
  const [, host, rest = ''] = /^https?:\/\/([^/?#@\\]+)(.*)$/is.exec(target) ?? [];
  if (host === undefined) return undefined;
  return { host, target: rest.startsWith('/') ? rest : `/${rest}` };
}

/**
 * Whether a request target is unambiguous: no empty or dot segments, no encoded separators or dots, no backslashes, no
 * absolute form. Otherwise a service could resolve it to another path than the one matched here.
 */
function isPlainTarget(target: string): boolean {
  const [path = '', ...query] = target.split('?');
  return (
    path.startsWith('/') &&
    /^[\x21-\x7e]*$/.test(target) &&
    !/\/\/|\/\.\.?(\/|$)|%2f|%5c|%2e|%25|%0|[\\#;]/i.test(path) &&
    !query.join('?').includes('#')
  );
}
