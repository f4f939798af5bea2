/** A loopback address literal; its port is chosen by the application at run time (RFC 8252 §7.3). */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/.*)?$/;

const isLoopbackHost = (hostname: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);

/** Whether `asked` equals a registered redirect URI, character by character except for the port of a loopback address. */
export const isRegistered = (registered: readonly string[], asked: string): boolean =>
  registered.some((uri) => uri === asked || isSameLoopback(uri, asked));

function isSameLoopback(registered: string, asked: string): boolean {
  // Five digits may be more than the highest port.
  if (!URL.canParse(asked)) return false;
  const [one, other] = [loopback.exec(registered), loopback.exec(asked)];
  return one !== null && other !== null && one[1] === other[1] && one[2] === other[2];
}

/**
 * Whether the URI may be registered: absolute, without fragment and credentials, and with https, http on loopback, or a
 * private-use scheme. Such a scheme contains a full stop, as a reversed domain name does (RFC 8252 §7.1 and §8.4).
 */
export function isRedirectUri(uri: string): boolean {
  if (!URL.canParse(uri) || !/^[\x21-\x7e]+$/.test(uri) || /[#\\]/.test(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '') return false;
  if (protocol === 'http:') return isLoopbackHost(hostname);
  return protocol === 'https:' || protocol.includes('.');
}

/**
 * Whether a redirect URI identifies the application. Any app on a device can listen on a loopback address, or register the
 * same private-use scheme (RFC 8252 §8.6).
 */
export function identifiesClient(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' && !isLoopbackHost(hostname);
}

/** Whether a redirect URI has a private-use scheme, which apps on a device register (RFC 8252 §7.1). */
export const isPrivateScheme = (uri: string): boolean => !/^https?:$/.test(new URL(uri).protocol);

/** `redirectUri` with `parameters` added to whatever query it has of its own (RFC 6749 §4.1.2). */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}

/** The part of `redirectUri` shown to people: its origin, or the scheme of an app. */
export function siteOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === 'null' ? protocol : origin;
}
