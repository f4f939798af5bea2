import { isIPv6 } from 'node:net';

/**
 * The key by which attempts are counted: an IPv4 address (also when IPv4-mapped), or the /64 of an IPv6 address, since
 * a subscriber can use any address of it. Other texts are returned unchanged.
 */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const groups = groupsOf(ip);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** The eight groups of an IPv6 address; `URL` normalises every spelling. */
function groupsOf(ip: string): number[] {
  const { hostname } = new URL(`http://[${ip.replace(/%.*/, '')}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16))));
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}
