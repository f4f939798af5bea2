/** Where the sentinels of a Redis are, and how to sign in at them and at Redis. */
export interface SentinelAddress {
  /** The name under which the sentinels know the master. */
  readonly name: string;
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** Whether the sentinels and Redis are spoken to with TLS. */
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly sentinelUsername: string | undefined;
  readonly sentinelPassword: string | undefined;
}

const address = /^(rediss?)-sentinel:\/\/(?:([^/@:]*)(?::([^/@]*))?@)?([^/@?#]+)\/([^/?#]+)(?:\?([^#]*))?$/;
const oneHost = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const parameters = ['sentinel_username', 'sentinel_password'];

/**
 * Reads `redis-sentinel://[user:password@]host[:port],…/<name of the master>[?sentinel_username=…&sentinel_password=…]`,
 * or the same with `rediss-sentinel` for TLS. The port is 26379 unless given. User and password before the hosts are
 * those of Redis; the sentinels may have their own. Undefined for any other text.
 */
export function parseSentinelAddress(text: string): SentinelAddress | undefined {
  const [, protocol, username, password, hosts = '', name = '', query] = address.exec(text) ?? [];
  const given = new URLSearchParams(query);
  const found = hosts.split(',').map((each) => oneHost.exec(each));
  if (found.includes(null) || [...given.keys()].some((key) => !parameters.includes(key))) return undefined;
  const sentinels = found.map((match) => ({
    host: match?.[1]?.replace(/^\[|\]$/g, '') ?? '',
    port: Number(match?.[2] ?? 26_379),
  }));
  if (sentinels.some(({ port }) => port < 1 || port > 65_535)) return undefined;
  try {
    return {
      name: decodeURIComponent(name),
      sentinels,
      tls: protocol === 'rediss',
      username: decoded(username),
      password: decoded(password),
      sentinelUsername: given.get('sentinel_username') ?? undefined,
      sentinelPassword: given.get('sentinel_password') ?? undefined,
    };
  } catch {
    // A percent sign that begins no code.
    return undefined;
  }
}

const decoded = (part: string | undefined): string | undefined =>
  part === undefined || part === '' ? undefined : decodeURIComponent(part);
