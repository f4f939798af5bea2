import { isIPv6 } from 'node:net';

/**
 * Whose attempts are counted together: an IPv4 address, also where it is written as an IPv6 one, or the /64 of an IPv6
 * address, through which one subscriber can go at will. What is no address stays as it is.
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

/** The eight numbers of an IPv6 address; URLs write every spelling of it alike. */
function groupsOf(ip: string): number[] {
  const { hostname } = new URL(`http://[${ip.replace(/%.*/, '')}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16))));
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}
