import ipaddr from 'ipaddr.js';
import type { IPv4, IPv6 } from 'ipaddr.js';

/** Azure's metadata and DNS endpoint stands inside the public range. */
const publicMetadata = new Set(['168.63.129.16']);
const globalUnicast: [IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Whether `address` may be connected to: public unicast, and loopback where that is allowed. Unreadable text may not. */
export function isReachable(address: string, allowLoopback: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Unwraps IPv4-mapped forms, so that they are judged as what the socket would connect to.
  const parsed = ipaddr.process(address);
  if (allowLoopback && parsed.range() === 'loopback') return true;
  return parsed.kind() === 'ipv4' ? isPublicIPv4(parsed as IPv4) : isPublicIPv6(parsed as IPv6);
}

const isPublicIPv4 = (address: IPv4): boolean =>
  address.range() === 'unicast' && !publicMetadata.has(address.toString());

/** Outside 2000::/3 ipaddr.js calls addresses unicast that embed an IPv4 address or are not assigned at all. */
const isPublicIPv6 = (address: IPv6): boolean =>
  address.match(globalUnicast) && address.range() === 'unicast' && !isIsatap(address);

/** RFC 5214 §6.1: an interface id `[02]00:5efe` carries an IPv4 address. */
const isIsatap = ({ parts }: IPv6): boolean => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
