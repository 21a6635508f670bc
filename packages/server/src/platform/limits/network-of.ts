// The client that an address stands for: one IPv4 address, or the /64 network of an IPv6 address, since one host
// usually has all of it.
import { parseIpAddress } from '@signetry/pki';

const NETWORK_OCTETS = 8;
/** `::ffff:0:0/96`: an IPv4 address as a socket for both families shows it (RFC 4291 §2.5.5.2). */
const MAPPED_PREFIX = '00000000000000000000ffff';

/** The subject of limits by address: `192.0.2.1`, `2001:db8:0:1::/64`. Anything but an address stands for itself. */
export function networkOf(address: string): string {
  const octets = parseIpAddress(address.replace(/%.*$/, ''));
  if (octets?.length !== 16) return address;
  const hex = Buffer.from(octets).toString('hex');
  if (hex.startsWith(MAPPED_PREFIX)) return octets.subarray(12).join('.');
  const groups = hex.slice(0, 2 * NETWORK_OCTETS).match(/.{4}/g) ?? [];
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
