// Determines which client an IP address represents: one IPv4 address, or the /64 network of an IPv6 address, since a
// single host usually has the entire network.
import { parseIpAddress } from '@signetry/pki';

const NETWORK_OCTETS = 8;
/** `::ffff:0:0/96`: an IPv4 address as reported by a dual-stack socket (RFC 4291 §2.5.5.2). */
const MAPPED_PREFIX = '00000000000000000000ffff';

/**
 * Returns the subject of per-address limits: `192.0.2.1`, `2001:db8:0:1::/64`. Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const octets = parseIpAddress(address.replace(/%.*$/, ''));
  if (octets?.length !== 16) return address;
  const hex = Buffer.from(octets).toString('hex');
  if (hex.startsWith(MAPPED_PREFIX)) return octets.subarray(12).join('.');
  const groups = hex.slice(0, 2 * NETWORK_OCTETS).match(/.{4}/g) ?? [];
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
