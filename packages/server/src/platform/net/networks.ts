// Lists of IP addresses and networks from settings, for matching addresses.
import { BlockList, isIP } from 'node:net';

/** Builds a block list from addresses (`192.0.2.1`) and networks (`192.0.2.0/24`). */
export function networks(list: readonly string[]): BlockList {
  const result = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const prefix = bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits);
    if (isIP(address) === 0 || !Number.isInteger(prefix))
      throw new Error(`${entry} is neither an address nor a network.`);
    result.addSubnet(address, prefix, family);
  }
  return result;
}

/** Returns whether `networks` accepts the entry. */
export function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/**
 * Returns whether the list contains the address. IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`) are treated as the
 * IPv4 address.
 */
export function contains(list: BlockList, address: string | undefined): boolean {
  if (address === undefined) return false;
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
