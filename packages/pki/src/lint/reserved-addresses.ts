// Reserved IP addresses as defined by the CA/Browser Forum Baseline Requirements (§1.6.1): addresses in a block of the
// IANA special-purpose address registries (RFC 6890), and multicast addresses.
import { parseIpAddress } from '../x509/ip-address.ts';

const BLOCKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3', // Multicast and 240.0.0.0/4.
  '::/127', // Unspecified and loopback.
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
].map(parseBlock);

interface Block {
  readonly octets: Uint8Array;
  readonly bits: number;
}

function parseBlock(text: string): Block {
  const [address = '', bits] = text.split('/');
  return { octets: parseIpAddress(address) ?? new Uint8Array(), bits: Number(bits) };
}

/** Returns whether an address of 4 or 16 bytes is in a reserved block. */
export function isReservedAddress(address: Uint8Array): boolean {
  return BLOCKS.some(({ octets, bits }) => octets.length === address.length && hasPrefix(address, octets, bits));
}

function hasPrefix(address: Uint8Array, block: Uint8Array, bits: number): boolean {
  return block.every((octet, index) => {
    const mask = (0xff << Math.min(8, Math.max(0, 8 * (index + 1) - bits))) & 0xff;
    return ((address[index] ?? 0) & mask) === (octet & mask);
  });
}
