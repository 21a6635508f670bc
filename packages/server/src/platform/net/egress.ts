// The only way for connections to leave this process. For every connection, the host is resolved here, each address is
// checked against its class, and the connection is pinned to the checked address, so that a second lookup cannot
// redirect it (DNS rebinding).
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { addressClass, embeddedAddresses } from './address-class.ts';
import { listsPortOfTarget, listsTarget, parseListedHost, type ListedHost } from './listed-hosts.ts';

export { addressClass } from './address-class.ts';

export interface EgressPolicy {
  /**
   * Allows loopback targets for every caller, for tests. Otherwise, loopback requires an entry in the allow list or the
   * caller's own permission.
   */
  readonly allowLoopback: boolean;
  /** Host names or IP addresses that are reachable regardless of class: on every port, or on the listed one. */
  readonly allowedHosts: readonly string[];
  /** If not empty, only these hosts are reachable. */
  readonly onlyHosts: readonly string[];
  /** Our own listeners, to which no caller may connect. */
  readonly isOwnListener: (address: string, port: number) => boolean;
  /** Called for every rejection, for metrics. */
  readonly onRejected?: (reason: EgressError['reason']) => void;
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
  /** Checks a URL without a lookup: scheme, credentials, literal addresses. */
  assertUrl(url: string): URL;
  /** Checks an address that was resolved elsewhere, before connecting to it. Throws `EgressError`. */
  assertAddress(host: string, target: EgressTarget): void;
  /** Resolves and checks a target; connect only to the returned addresses. */
  resolve(host: string, port: number): Promise<readonly { address: string; family: 4 | 6 }[]>;
  /** Returns an undici dispatcher whose connections pass the gate; `tls` adds client certificates or trust anchors. */
  dispatcher(options?: EgressDispatcherOptions): Dispatcher;
}

export interface EgressTarget {
  readonly address: string;
  readonly port: number;
  /**
   * Whether the caller's own settings permit loopback, regardless of the policy. Our own listeners are still rejected.
   */
  readonly allowLoopback?: boolean;
  /** Same as `allowLoopback`, but for any address class. */
  readonly allowAnyClass?: boolean;
  /** For port scans: a host listed without a port is reachable only on the default ports for http and https. */
  readonly listedPortsOnly?: boolean;
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

export const createEgressGate = (policy: EgressPolicy): EgressGate => new PolicyGate(policy);

const portOf = ({ port, protocol }: { readonly port: string; readonly protocol: string }): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80);

class PolicyGate implements EgressGate {
  private readonly policy: EgressPolicy;
  private readonly allowed: readonly ListedHost[];
  private readonly only: readonly ListedHost[];

  constructor(policy: EgressPolicy) {
    this.policy = policy;
    this.allowed = policy.allowedHosts.flatMap((entry) => parseListedHost(entry) ?? []);
    this.only = policy.onlyHosts.flatMap((entry) => parseListedHost(entry) ?? []);
  }

  assertUrl(text: string): URL {
    const url = URL.parse(text);
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      this.refuse('scheme', 'The URL must use http or https.');
    if (url.username !== '' || url.password !== '')
      this.refuse('credentials', 'The URL must not contain credentials. Use the authentication settings.');
    const bare = bareHost(url.hostname);
    if (isIP(bare) !== 0) this.assertAddress(bare, { address: bare, port: portOf(url) });
    return url;
  }

  assertAddress(host: string, target: EgressTarget): void {
    const { policy } = this;
    const { address, port, allowLoopback = false, allowAnyClass = false, listedPortsOnly = false } = target;
    if ([address, ...embeddedAddresses(address)].some((each) => policy.isOwnListener(each, port)))
      this.refuse('ownListener', `${host}:${port} is a listener of this platform.`);
    const named = { host, address, port };
    if (policy.onlyHosts.length > 0 && !listsTarget(this.only, named))
      this.refuse('notAllowed', `${host} is not in the list of reachable hosts (setting egressOnlyHosts).`);
    if (allowAnyClass || (listedPortsOnly ? listsPortOfTarget : listsTarget)(this.allowed, named)) return;
    const kind = addressClass(address);
    if (kind === 'public' || kind === 'private' || (kind === 'loopback' && (policy.allowLoopback || allowLoopback)))
      return;
    this.refuse(
      'addressClass',
      `${host} has a ${kind} address, which is blocked (the setting egressAllowedHosts can allow it).`,
    );
  }

  async resolve(host: string, port: number): Promise<readonly { address: string; family: 4 | 6 }[]> {
    const bare = bareHost(host);
    const found = await lookup(bare, { all: true }).catch(() =>
      this.refuse('unresolvable', `The host name ${bare} cannot be resolved.`),
    );
    for (const { address } of found) this.assertAddress(bare, { address, port });
    return found as readonly { address: string; family: 4 | 6 }[]; // Node returns family 4 or 6.
  }

  dispatcher(options: EgressDispatcherOptions = {}): Dispatcher {
    const totalMs = options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
    const timeout = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    // A connection's lookup function does not receive the port, which determines whether a target is our own listener.
    const byPort = new Map<number, buildConnector.connector>();
    let secureContext: SecureContext | undefined;
    const connectorFor = (port: number): buildConnector.connector => {
      const lookup = this.pinnedLookup(port);
      // Created once: opening a key store takes 100 ms, which would delay every connection.
      if (options.tls) secureContext ??= createSecureContext(options.tls);
      const tls = secureContext ? { secureContext } : {};
      const connector = byPort.get(port) ?? buildConnector({ ...tls, lookup, timeout });
      byPort.set(port, connector);
      return connector;
    };
    return new Agent({
      connections: MAX_CONNECTIONS_PER_ORIGIN,
      maxResponseSize: options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
      headersTimeout: totalMs,
      bodyTimeout: totalMs,
      connect: (target, callback) => {
        const port = portOf(target);
        try {
          // A literal address is never looked up.
          const address = bareHost(target.hostname);
          if (isIP(address) !== 0) this.assertAddress(target.hostname, { address, port });
          connectorFor(port)(target, callback);
        } catch (error) {
          callback(error as Error, null);
        }
      },
    });
  }

  /** Returns the `lookup` function for a connection, which returns only addresses that it has checked. */
  private pinnedLookup(port: number): LookupFunction {
    return (host, options, callback) => {
      this.resolve(host, port).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all) callback(null, addresses as { address: string; family: number }[]);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      );
    };
  }

  private refuse(reason: EgressError['reason'], message: string): never {
    this.policy.onRejected?.(reason);
    throw new EgressError(reason, message);
  }
}

/** Returns the host without the brackets of an IPv6 literal. */
const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
