// The one way out. Every outgoing connection resolves its host here, has each address checked against its class and is
// pinned to the checked address, so that a second look-up cannot lead elsewhere (DNS rebinding).
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { formatIpAddress, parseIpAddress } from '@signetry/pki';
import { Agent, buildConnector, type Dispatcher } from 'undici';

export type AddressClass = 'public' | 'private' | 'loopback' | 'linkLocal' | 'metadata' | 'unspecified';

export interface EgressPolicy {
  /** Loopback targets: only while all listeners are bound to loopback, or by the allow list. */
  readonly allowLoopback: boolean;
  /** Host names or addresses that are reachable whatever their class. */
  readonly allowedHosts: readonly string[];
  /** When not empty, nothing else is reachable. */
  readonly onlyHosts: readonly string[];
  /** `address:port` of our own listeners, which nobody may make us call. */
  readonly isOwnListener: (address: string, port: number) => boolean;
  /** Told of every refusal, for metrics. */
  readonly onRefused?: (reason: EgressError['reason']) => void;
}

export class EgressError extends Error {
  readonly reason: 'scheme' | 'credentials' | 'unresolvable' | 'addressClass' | 'ownListener' | 'notAllowed';

  constructor(reason: EgressError['reason'], message: string) {
    super(message);
    this.name = 'EgressError';
    this.reason = reason;
  }
}

export interface EgressGate {
  /** Checks a URL by its form alone, without a look-up: scheme, credentials, literal addresses. */
  assertUrl(url: string): URL;
  /** Checks one address that was looked up elsewhere and is going to be connected to. Throws `EgressError`. */
  assertAddress(host: string, target: EgressTarget): void;
  /** Resolves and checks a target; the answer's addresses are the only ones to be connected to. */
  resolve(host: string, port: number): Promise<readonly { address: string; family: 4 | 6 }[]>;
  /** An undici dispatcher whose connections pass the gate; `tls` adds client certificates or trust. */
  dispatcher(options?: EgressDispatcherOptions): Dispatcher;
}

export interface EgressTarget {
  readonly address: string;
  readonly port: number;
  /** Permission of the caller's own settings to reach loopback, whatever the policy says. Own listeners stay refused. */
  readonly allowLoopback?: boolean;
}

export interface EgressDispatcherOptions {
  readonly connectTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
  readonly maxResponseBytes?: number;
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly pfx?: Buffer;
    readonly passphrase?: string;
  };
}

const CONNECT_TIMEOUT_MS = 5_000;
const TOTAL_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS_PER_ORIGIN = 32;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

const subnets = (list: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]) => {
  const block = new BlockList();
  for (const [network, prefix, family] of list) block.addSubnet(network, prefix, family);
  return block;
};

const LOOPBACK = subnets([['127.0.0.0', 8, 'ipv4'], ['::1', 128, 'ipv6']]); // prettier-ignore
const METADATA = subnets([['169.254.169.254', 32, 'ipv4'], ['100.100.100.200', 32, 'ipv4'], ['fd00:ec2::254', 128, 'ipv6']]); // prettier-ignore
const LINK_LOCAL = subnets([['169.254.0.0', 16, 'ipv4'], ['fe80::', 10, 'ipv6']]); // prettier-ignore
const UNSPECIFIED = subnets([['0.0.0.0', 8, 'ipv4'], ['::', 128, 'ipv6'], ['224.0.0.0', 4, 'ipv4'], ['240.0.0.0', 4, 'ipv4'], ['ff00::', 8, 'ipv6']]); // prettier-ignore
const PRIVATE = subnets([['10.0.0.0', 8, 'ipv4'], ['172.16.0.0', 12, 'ipv4'], ['192.168.0.0', 16, 'ipv4'], ['100.64.0.0', 10, 'ipv4'], ['fc00::', 7, 'ipv6']]); // prettier-ignore

/** IPv6 networks whose addresses end in an IPv4 one: mapped and compatible (RFC 4291 §2.5.5), NAT64 (RFC 6052 §2.1). */
const WRAPPING_PREFIXES = ['00000000000000000000ffff', '000000000000000000000000', '0064ff9b0000000000000000'];

/** The IPv4 address that an IPv6 one wraps, in whatever spelling; other addresses as they are. */
function unwrapped(address: string): string {
  if (!address.includes(':')) return address;
  const octets = parseIpAddress(address);
  if (octets === undefined || !WRAPPING_PREFIXES.includes(octets.subarray(0, 12).toHex())) return address;
  // The unspecified address and loopback lie in the compatible network, and wrap nothing.
  const text = formatIpAddress(octets) ?? address;
  return text === '::' || text === '::1' ? text : (formatIpAddress(octets.subarray(12)) ?? address);
}

/** Class of an address; IPv4 addresses wrapped in IPv6 count as what they wrap. */
export function addressClass(address: string): AddressClass {
  const bare = unwrapped(address);
  const family = isIP(bare) === 6 ? 'ipv6' : 'ipv4';
  if (METADATA.check(bare, family)) return 'metadata';
  if (LOOPBACK.check(bare, family)) return 'loopback';
  if (LINK_LOCAL.check(bare, family)) return 'linkLocal';
  if (UNSPECIFIED.check(bare, family)) return 'unspecified';
  return PRIVATE.check(bare, family) ? 'private' : 'public';
}

export function createEgressGate(policy: EgressPolicy): EgressGate {
  const listed = (hosts: readonly string[], host: string, address: string) =>
    hosts.includes(host) || hosts.includes(address);

  function refuse(reason: EgressError['reason'], message: string): never {
    policy.onRefused?.(reason);
    throw new EgressError(reason, message);
  }

  function assertAddress(host: string, { address, port, allowLoopback = false }: EgressTarget): void {
    if (policy.isOwnListener(unwrapped(address), port))
      refuse('ownListener', `${host}:${port} is a listener of this platform.`);
    if (policy.onlyHosts.length > 0 && !listed(policy.onlyHosts, host, address)) {
      refuse('notAllowed', `${host} is not on the list of hosts that may be reached (egressOnlyHosts).`);
    }
    if (listed(policy.allowedHosts, host, address)) return;
    const kind = addressClass(address);
    if (kind === 'public' || kind === 'private' || (kind === 'loopback' && (policy.allowLoopback || allowLoopback)))
      return;
    refuse(
      'addressClass',
      `${host} has a ${kind} address, which is not reachable from here (egressAllowedHosts can allow it).`,
    );
  }

  async function resolve(host: string, port: number): Promise<readonly { address: string; family: 4 | 6 }[]> {
    const bare = bareHost(host);
    const found = await lookup(bare, { all: true }).catch(() =>
      refuse('unresolvable', `The host name ${bare} has no address.`),
    );
    for (const { address } of found) assertAddress(bare, { address, port });
    return found as readonly { address: string; family: 4 | 6 }[]; // node answers family 4 or 6
  }

  /** `lookup` of a connection: answers only addresses that were checked just now. */
  const pinnedLookup =
    (port: number): LookupFunction =>
    (host, options, callback) => {
      resolve(host, port).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all) callback(null, addresses as { address: string; family: number }[]);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      );
    };

  return {
    assertUrl(text) {
      const url = URL.parse(text);
      if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
        refuse('scheme', 'Only http and https URLs can be reached.');
      if (url.username !== '' || url.password !== '')
        refuse('credentials', 'A URL must not carry credentials; use the authentication settings.');
      const bare = bareHost(url.hostname);
      if (isIP(bare) !== 0)
        assertAddress(bare, { address: bare, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) });
      return url;
    },
    assertAddress,
    resolve,
    dispatcher(options = {}) {
      const totalMs = options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
      const timeout = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
      // A connector's look-up is not told the port, and the port decides whether a target is a listener of ours.
      const byPort = new Map<number, buildConnector.connector>();
      const connectorFor = (port: number) => {
        const connector = byPort.get(port) ?? buildConnector({ ...options.tls, lookup: pinnedLookup(port), timeout });
        byPort.set(port, connector);
        return connector;
      };
      return new Agent({
        connections: MAX_CONNECTIONS_PER_ORIGIN,
        maxResponseSize: options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
        headersTimeout: totalMs,
        bodyTimeout: totalMs,
        connect: (target, callback) => {
          const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
          try {
            // A literal address never passes a look-up.
            const address = bareHost(target.hostname);
            if (isIP(address) !== 0) assertAddress(target.hostname, { address, port });
            connectorFor(port)(target, callback);
          } catch (error) {
            callback(error as Error, null);
          }
        },
      });
    },
  };
}

/** Host without the brackets of an IPv6 literal. */
const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
