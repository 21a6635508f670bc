// The one way out. Every outgoing connection resolves its host here, has each address checked against its class and is
// pinned to the checked address, so that a second look-up cannot lead elsewhere (DNS rebinding).
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
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
  /** Resolves and checks a target; the answer's addresses are the only ones to be connected to. */
  resolve(host: string, port: number): Promise<readonly { address: string; family: 4 | 6 }[]>;
  /** An undici dispatcher whose connections pass the gate; `tls` adds client certificates or trust. */
  dispatcher(options?: EgressDispatcherOptions): Dispatcher;
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

/** Class of an address; IPv4 addresses wrapped in IPv6 count as what they wrap. */
export function addressClass(address: string): AddressClass {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const bare = mapped ?? address;
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

  function assertAddress(host: string, address: string, port: number): void {
    if (policy.isOwnListener(address, port)) refuse('ownListener', `${host}:${port} is a listener of this platform.`);
    if (policy.onlyHosts.length > 0 && !listed(policy.onlyHosts, host, address)) {
      refuse('notAllowed', `${host} is not on the list of hosts that may be reached (egress.onlyHosts).`);
    }
    if (listed(policy.allowedHosts, host, address)) return;
    const kind = addressClass(address);
    if (kind === 'public' || kind === 'private' || (kind === 'loopback' && policy.allowLoopback)) return;
    refuse(
      'addressClass',
      `${host} has a ${kind} address, which is not reachable from here (egress.allowedHosts can allow it).`,
    );
  }

  async function resolve(host: string, port: number): Promise<readonly { address: string; family: 4 | 6 }[]> {
    const bare = bareHost(host);
    const found = await lookup(bare, { all: true }).catch(() =>
      refuse('unresolvable', `The host name ${bare} has no address.`),
    );
    for (const { address } of found) assertAddress(bare, address, port);
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
      if (isIP(bare) !== 0) assertAddress(bare, bare, Number(url.port) || (url.protocol === 'https:' ? 443 : 80));
      return url;
    },
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
            if (isIP(bareHost(target.hostname)) !== 0) assertAddress(target.hostname, bareHost(target.hostname), port);
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
