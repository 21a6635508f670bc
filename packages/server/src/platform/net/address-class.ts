// The class of an address. An IPv6 address that embeds an IPv4 address reaches that one, so both are classified and the
// worse class counts.
import { BlockList, isIP } from 'node:net';
import { formatIpAddress, parseIpAddress } from '@signetry/pki';

/**
 * `metadata`: services of a cloud for its machines, which give out credentials. `reserved`: ranges in which nothing is
 * meant to be reached (documentation, benchmarks, relays of old tunnels). `unspecified`: also the broadcast address.
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

/** Addresses inside the link-local network are listed all the same, because the class says why they are refused. */
const METADATA = networks([
  // Amazon EC2, Google, Azure, Oracle, OpenStack, DigitalOcean, Hetzner, Akamai: instance metadata
  '169.254.169.254/32',
  '169.254.170.2/32', // Amazon ECS: credentials of tasks
  '169.254.170.23/32', // Amazon EKS: credentials of pods
  'fd00:ec2::/32', // Amazon: metadata ::254, pods ::23, resolver ::253, time ::123
  'fd20:ce::254/128', // Google Compute Engine: metadata over IPv6
  '168.63.129.16/32', // Azure: WireServer, the platform's channel to its machines; a public address
  '192.0.0.192/32', // Oracle Cloud, classic machines: metadata
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud: metadata over IPv6
  '100.100.100.200/32', // Alibaba Cloud: metadata, inside the shared address space
  'fd00:a9fe:a9fe::1/128', // Akamai (Linode): metadata over IPv6
  '169.254.42.42/32', // Scaleway: metadata
  'fd00:42::42/128', // Scaleway: metadata over IPv6
  '169.254.0.23/32', // Tencent Cloud: metadata
]);

/** The first class whose range contains the address; otherwise public. */
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
      '192.88.99.0/24', // relays of 6to4 (RFC 7526)
      '198.18.0.0/15', // benchmarks (RFC 2544)
      '240.0.0.0/4', // reserved (RFC 1112)
      '100::/64', '100:0:0:1::/64', // discarded (RFC 6666), dummies (RFC 9780)
      '2001:2::/48', // benchmarks (RFC 5180)
      '2001:10::/28', '2001:20::/28', // identifiers, not addresses (RFC 4843, RFC 7343)
      '2001:db8::/32', '3fff::/20', // documentation (RFC 3849, RFC 9637)
      '5f00::/16', // segments of routes (RFC 9602)
    ]), // prettier-ignore
  ],
  // Site-local addresses are deprecated (RFC 3879) and had the use of those of RFC 4193.
  ['private', networks(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10'])],
];

/** The worst first. */
const BY_DANGER: readonly AddressClass[] = [
  'metadata', 'loopback', 'linkLocal', 'unspecified', 'multicast', 'reserved', 'private', 'public',
]; // prettier-ignore

/** Class of an address in whatever spelling, with or without a zone. */
export function addressClass(address: string): AddressClass {
  const bare = address.replace(/%.*$/, '');
  const embedded = embeddedAddresses(bare);
  // In forms that only wrap an IPv4 address nothing else is left to classify.
  const classes = [...(isWrapping(bare) ? [] : [ownClass(bare)]), ...embedded.map(ownClass)];
  return BY_DANGER.find((each) => classes.includes(each)) ?? 'unspecified';
}

function ownClass(address: string): AddressClass {
  const family = isIP(address);
  // Not an address.
  if (family === 0) return 'unspecified';
  return CLASSES.find(([, block]) => block.check(address, family === 6 ? 'ipv6' : 'ipv4'))?.[0] ?? 'public';
}

interface Form {
  /** Leading octets in hexadecimal. */
  readonly prefix: string;
  /** Positions of the octets of the IPv4 address. */
  readonly places: readonly number[];
  /** The address is nothing but the IPv4 one in another form. */
  readonly wraps?: boolean;
  /** The octets are inverted. */
  readonly inverted?: boolean;
  /** Octets that are zero in this form; where they are not, it is another. */
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
  // NAT64 of a network's own, 64:ff9b:1::/48 (RFC 8215): the prefix may be longer, and its length is not known here.
  // Octet 8 and the rest behind the IPv4 address are zero (RFC 6052 §2.2).
  { prefix: LOCAL_NAT64, places: [6, 7, 9, 10], zero: [8, 11, 12, 13, 14, 15] },
  { prefix: LOCAL_NAT64, places: [7, 9, 10, 11], zero: [8, 12, 13, 14, 15] },
  { prefix: LOCAL_NAT64, places: [9, 10, 11, 12], zero: [8, 13, 14, 15] },
  { prefix: LOCAL_NAT64, places: LAST },
];

/** ISATAP (RFC 5214 §6.1): the IPv4 address stands behind this mark, in whatever network. */
const ISATAP_MARKS: readonly string[] = ['00005efe', '02005efe'];

/** IPv4 addresses that an IPv6 address carries; none for IPv4 addresses, loopback and the unspecified address. */
export function embeddedAddresses(address: string): readonly string[] {
  const octets = octetsOf(address);
  if (!octets) return [];
  const forms = FORMS.filter((form) => isOfForm(octets, form));
  if (ISATAP_MARKS.includes(octets.subarray(8, 12).toHex())) forms.push({ prefix: '', places: LAST });
  return forms.flatMap(({ places, inverted, wraps }) => {
    // The octets are there: addresses of IPv6 have sixteen.
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

/** Octets of an IPv6 address other than `::` and `::1`, which are in the compatible range and wrap nothing. */
function octetsOf(address: string): Uint8Array | undefined {
  if (!address.includes(':')) return undefined;
  const octets = parseIpAddress(address.replace(/%.*$/, ''));
  if (octets?.length !== 16) return undefined;
  return octets.subarray(0, 15).every((octet) => octet === 0) && (octets[15] ?? 0) <= 1 ? undefined : octets;
}
