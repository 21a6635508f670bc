// Scan hosts as entered by users: names, addresses, networks (`10.0.0.0/24`) and ranges (`10.0.0.1-10.0.0.50`,
// `10.0.0.1-50`). Ranges are not expanded here.
import { isIP } from 'node:net';
import { formatIpAddress, parseIpAddress } from '@signetry/pki';

/** A name, or a range of consecutive addresses. `first` has 4 or 16 bytes. */
export type HostEntry =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'addresses'; readonly first: Uint8Array; readonly count: number };

/** More than 16 million addresses, an IPv4 /8 network, must be a typing error. */
const MAX_ADDRESSES = 2 ** 24;
/** Maximum number of entries in a list. */
const MAX_ENTRIES = 10_000;

/** Matches host names. Internal names may contain underscores. */
const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

export interface ParsedHosts {
  readonly hosts: readonly HostEntry[];
  readonly problems: readonly string[];
}

/** Parses a list separated by commas, spaces or line breaks. */
export function parseHosts(text: string): ParsedHosts {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length > MAX_ENTRIES)
    return { hosts: [], problems: [`Specify at most ${MAX_ENTRIES} hosts and networks.`] };
  const hosts: HostEntry[] = [];
  const problems: string[] = [];
  for (const word of words) {
    const entry = parseHost(word);
    if (typeof entry === 'string') problems.push(entry);
    else hosts.push(entry);
  }
  return { hosts, problems };
}

/** Returns an entry, or an error message. */
function parseHost(word: string): HostEntry | string {
  const bare = word.replace(/^\[(.*)\]$/, '$1');
  const address = parseIpAddress(bare);
  if (address) return { kind: 'addresses', first: address, count: 1 };
  if (bare.includes('/')) return parseNetwork(bare);
  const dash = bare.indexOf('-');
  const first = dash > 0 ? parseIpAddress(bare.slice(0, dash)) : undefined;
  if (first) return parseRange(bare, first, bare.slice(dash + 1));
  const name = bare.toLowerCase().replace(/\.$/, '');
  // A word of only digits and dots is a mistyped address.
  if (NAME.test(name) && !/^[\d.]+$/.test(name)) return { kind: 'name', name };
  return `${quoted(word)} is not a host name, an address, a network such as 10.0.0.0/24 or a range such as 10.0.0.1-10.0.0.50.`;
}

function parseNetwork(word: string): HostEntry | string {
  const [text = '', prefix = '', ...rest] = word.split('/');
  const address = parseIpAddress(text);
  const bits = address ? address.length * 8 : 0;
  if (!address || rest.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)
    return `${quoted(word)} is not a network such as 10.0.0.0/24 or 2001:db8::/120.`;
  const hostBits = bits - Number(prefix);
  if (2 ** hostBits > MAX_ADDRESSES)
    return `${quoted(word)} has more than ${MAX_ADDRESSES} addresses. Specify the smaller networks that are in use.`;
  const first = Uint8Array.from(address, (octet, place) => octet & maskOf(place, Number(prefix)));
  return { kind: 'addresses', first, count: 2 ** hostBits };
}

/** Returns a byte of the network mask. */
const maskOf = (place: number, prefix: number): number =>
  (0xff << (8 - Math.min(8, Math.max(0, prefix - place * 8)))) & 0xff;

/** The end of a range is an address or, for IPv4, only the last byte of an address. */
function parseRange(word: string, first: Uint8Array, end: string): HostEntry | string {
  const isOctet = first.length === 4 && /^\d{1,3}$/.test(end) && Number(end) <= 255;
  const last = isOctet ? Uint8Array.of(...first.subarray(0, 3), Number(end)) : parseIpAddress(end);
  if (!last || last.length !== first.length)
    return `${quoted(word)} is not a range such as 10.0.0.1-10.0.0.50 or 10.0.0.1-50.`;
  const count = valueOf(last) - valueOf(first) + 1n;
  if (count < 1n) return `The end of the range ${quoted(word)} is before its start.`;
  if (count > BigInt(MAX_ADDRESSES))
    return `${quoted(word)} has more than ${MAX_ADDRESSES} addresses. Specify the smaller ranges that are in use.`;
  return { kind: 'addresses', first, count: Number(count) };
}

const valueOf = (address: Uint8Array): bigint => BigInt(`0x${address.toHex()}`);

/** Returns the address `offset` positions after the first one. */
export function addressAt(first: Uint8Array, offset: number): string {
  const octets = Uint8Array.from(first);
  for (let place = octets.length - 1, carry = offset; place >= 0 && carry > 0; place -= 1) {
    const sum = (octets[place] ?? 0) + (carry % 256);
    octets[place] = sum & 0xff;
    carry = Math.floor(carry / 256) + (sum >> 8);
  }
  return formatIpAddress(octets) ?? ''; // The input is always 4 or 16 bytes long.
}

/** Returns the first and last address of each address entry. */
export const boundsOf = (hosts: readonly HostEntry[]): readonly string[] =>
  hosts.flatMap((host) => {
    if (host.kind === 'name') return [];
    return [...new Set([addressAt(host.first, 0), addressAt(host.first, host.count - 1)])];
  });

/** Returns `HOST:PORT`, with brackets around an IPv6 address. */
export const endpointText = (host: string, port: number): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;

const MAX_QUOTED = 80;
const quoted = (word: string): string => `"${word.length > MAX_QUOTED ? `${word.slice(0, MAX_QUOTED)}…` : word}"`;
