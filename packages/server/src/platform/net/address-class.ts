// Address classes. An IPv6 address that embeds an IPv4 address can reach the latter, so both are classified and the
// worse class applies.
import { BlockList, isIP } from 'node:net';
import { formatIpAddress, parseIpAddress } from '@signetry/pki';

/**
 * `metadata`: cloud metadata services, which hand out credentials to machines. `reserved`: ranges that should contain
 * no hosts (documentation, benchmarks, old tunnel relays). `unspecified`: includes the broadcast address.
 */
export type AddressClass =
  'public' | 'private' | 'loopback' | 'linkLocal' | 'metadata' | 'multicast' | 'reserved' | 'unspecified';

const networks = (list: readonly string[]): BlockList => {
  const block = new BlockList();
  for (const text of list) {
    const [network = '', prefix = ''] = text.split('/');
    block.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return block;
};

/** Includes addresses in the link-local network, because the class states why they are rejected. */
const METADATA = networks([
  // Amazon EC2, Google, Azure, Oracle, OpenStack, DigitalOcean, Hetzner, Akamai: instance metadata
  '169.254.169.254/32',
  '169.254.170.2/32', // Amazon ECS: task credentials
  '169.254.170.23/32', // Amazon EKS: pod credentials
  'fd00:ec2::/32', // Amazon: metadata ::254, pods ::23, resolver ::253, time ::123
  'fd20:ce::254/128', // Google Compute Engine: metadata over IPv6
  '168.63.129.16/32', // Azure: WireServer, the channel between Azure and its virtual machines; a public address
  '192.0.0.192/32', // Oracle Cloud, classic instances: metadata
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud: metadata over IPv6
  '100.100.100.200/32', // Alibaba Cloud: metadata, inside the shared address space
  'fd00:a9fe:a9fe::1/128', // Akamai (Linode): metadata over IPv6
  '169.254.42.42/32', // Scaleway: metadata
  'fd00:42::42/128', // Scaleway: metadata over IPv6
  '169.254.0.23/32', // Tencent Cloud: metadata
]);

/** Classes in order: the first one whose range contains the address applies. All other addresses are public. */
const CLASSES: readonly (readonly [AddressClass, BlockList])[] = [
  ['metadata', METADATA],
  ['loopback', networks(['127.0.0.0/8', '::1/128'])],
  ['linkLocal', networks(['169.254.0.0/16', 'fe80::/10'])],
  ['multicast', networks(['224.0.0.0/4', 'ff00::/8'])],
  ['unspecified', networks(['0.0.0.0/8', '::/128', '255.255.255.255/32'])],
  [
    'reserved',
    networks([
      '192.0.0.0/24', // IETF protocol assignments (RFC 6890)
      '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', // documentation (RFC 5737)
      '192.88.99.0/24', // 6to4 relays (RFC 7526)
      '198.18.0.0/15', // benchmarking (RFC 2544)
      '240.0.0.0/4', // reserved (RFC 1112)
      '100::/64', '100:0:0:1::/64', // discard-only prefix (RFC 6666), dummy prefix (RFC 9780)
      '2001:2::/48', // benchmarking (RFC 5180)
      '2001:10::/28', '2001:20::/28', // identifiers, not addresses (RFC 4843, RFC 7343)
      '2001:db8::/32', '3fff::/20', // documentation (RFC 3849, RFC 9637)
      '5f00::/16', // SRv6 segment identifiers (RFC 9602)
    ]), // prettier-ignore
  ],
  // Site-local addresses are deprecated (RFC 3879); they had the same purpose as unique local addresses (RFC 4193).
  ['private', networks(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10'])],
];

/** Worst class first. */
const BY_DANGER: readonly AddressClass[] = [
  'metadata', 'loopback', 'linkLocal', 'unspecified', 'multicast', 'reserved', 'private', 'public',
]; // prettier-ignore

/** Returns the class of an address in any notation, with or without a zone. */
export function addressClass(address: string): AddressClass {
  const bare = address.replace(/%.*$/, '');
  const embedded = embeddedAddresses(bare);
  // An address that only wraps an IPv4 address is not classified itself.
  const classes = [...(isWrapping(bare) ? [] : [classOf(bare)]), ...embedded.map(classOf)];
  return BY_DANGER.find((each) => classes.includes(each)) ?? 'unspecified';
}

function classOf(address: string): AddressClass {
  const family = isIP(address);
  // Not an address.
  if (family === 0) return 'unspecified';
  return CLASSES.find(([, block]) => block.check(address, family === 6 ? 'ipv6' : 'ipv4'))?.[0] ?? 'public';
}

interface Form {
  /** Leading bytes in hexadecimal. */
  readonly prefix: string;
  /** Positions of the IPv4 address's bytes. */
  readonly places: readonly number[];
  /** Whether the address is only another notation of the IPv4 address. */
  readonly wraps?: boolean;
  /** Whether the bytes are inverted. */
  readonly inverted?: boolean;
  /** Positions of bytes that must be zero; otherwise, the form does not match. */
  readonly zero?: readonly number[];
}

const LAST = [12, 13, 14, 15];
const LOCAL_NAT64 = '0064ff9b0001';

const FORMS: readonly Form[] = [
  { prefix: '00000000000000000000ffff', places: LAST, wraps: true }, // mapped, ::ffff:a.b.c.d (RFC 4291 §2.5.5.2)
  { prefix: '0000000000000000ffff0000', places: LAST, wraps: true }, // translated, ::ffff:0:a.b.c.d (RFC 2765 §2.1)
  { prefix: '000000000000000000000000', places: LAST, wraps: true }, // compatible, ::a.b.c.d (RFC 4291 §2.5.5.1)
  { prefix: '0064ff9b0000000000000000', places: LAST, wraps: true }, // NAT64, 64:ff9b::/96 (RFC 6052 §2.1)
  { prefix: '2002', places: [2, 3, 4, 5] }, // 6to4 (RFC 3056 §2)
  { prefix: '20010000', places: [4, 5, 6, 7] }, // Teredo: its server (RFC 4380 §4)
  { prefix: '20010000', places: LAST, inverted: true }, // Teredo: its client
  // Local-use NAT64, 64:ff9b:1::/48 (RFC 8215): the prefix can be longer, and its length is not known here. Byte 8 and
  // the bytes after the IPv4 address are zero (RFC 6052 §2.2).
  { prefix: LOCAL_NAT64, places: [6, 7, 9, 10], zero: [8, 11, 12, 13, 14, 15] },
  { prefix: LOCAL_NAT64, places: [7, 9, 10, 11], zero: [8, 12, 13, 14, 15] },
  { prefix: LOCAL_NAT64, places: [9, 10, 11, 12], zero: [8, 13, 14, 15] },
  { prefix: LOCAL_NAT64, places: LAST },
];

/** ISATAP (RFC 5214 §6.1): the IPv4 address follows this marker, in any network. */
const ISATAP_MARKS: readonly string[] = ['00005efe', '02005efe'];

/**
 * Returns the IPv4 addresses embedded in an IPv6 address; empty for IPv4 addresses, loopback and the unspecified
 * address.
 */
export function embeddedAddresses(address: string): readonly string[] {
  const octets = octetsOf(address);
  if (!octets) return [];
  const forms = FORMS.filter((form) => isOfForm(octets, form));
  if (ISATAP_MARKS.includes(octets.subarray(8, 12).toHex())) forms.push({ prefix: '', places: LAST });
  return forms.flatMap(({ places, inverted, wraps }) => {
    // The positions exist: IPv6 addresses have 16 bytes.
    const inner = Uint8Array.from(places, (place) => (octets[place] ?? 0) ^ (inverted ? 0xff : 0));
    // An empty result means that this form does not apply.
    return wraps || inner.some((octet) => octet !== 0) ? [formatIpAddress(inner) ?? ''] : [];
  });
}

const isWrapping = (address: string): boolean => {
  const octets = octetsOf(address);
  return octets !== undefined && FORMS.some((form) => form.wraps && isOfForm(octets, form));
};

function isOfForm(octets: Uint8Array, { prefix, zero = [] }: Form): boolean {
  return octets.toHex().startsWith(prefix) && zero.every((place) => octets[place] === 0);
}

/**
 * Returns the bytes of an IPv6 address; undefined for `::` and `::1`, which are in the compatible range but wrap
 * nothing.
 */
function octetsOf(address: string): Uint8Array | undefined {
  if (!address.includes(':')) return undefined;
  const octets = parseIpAddress(address.replace(/%.*$/, ''));
  if (octets?.length !== 16) return undefined;
  return octets.subarray(0, 15).every((octet) => octet === 0) && (octets[15] ?? 0) <= 1 ? undefined : octets;
}
