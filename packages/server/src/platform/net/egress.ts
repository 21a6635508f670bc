// The only way for connections out of this process. Each resolves its host here, has every address checked against its
// class and is pinned to the checked address, so that a second look-up cannot lead elsewhere (DNS rebinding).
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { addressClass, embeddedAddresses } from './address-class.ts';
import { listsPortOfTarget, listsTarget, parseListedHost, type ListedHost } from './listed-hosts.ts';

export { addressClass } from './address-class.ts';

export interface EgressPolicy {
  /**
   * Loopback targets of every caller, for tests. A platform reaches them by the allow list, or by a caller's own
   * permission.
   */
  readonly allowLoopback: boolean;
  /** Host names or addresses that are reachable whatever their class: on every port, or on the one that is listed. */
  readonly allowedHosts: readonly string[];
  /** When not empty, nothing else is reachable. */
  readonly onlyHosts: readonly string[];
  /** Our own listeners, which no caller may make us connect to. */
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
  /** Checks a URL without a look-up: scheme, credentials, literal addresses. */
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
  /**
   * Permission of the caller's own settings to reach loopback, whatever the policy says. Own listeners stay refused.
   */
  readonly allowLoopback?: boolean;
  /** The same whatever the class of the address. */
  readonly allowAnyClass?: boolean;
  /** Ports are scanned: a host that is listed without a port opens the default ports of http and https only. */
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
      this.refuse('scheme', 'Only http and https URLs can be reached.');
    if (url.username !== '' || url.password !== '')
      this.refuse('credentials', 'A URL must not carry credentials; use the authentication settings.');
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
      this.refuse('notAllowed', `${host} is not on the list of hosts that may be reached (setting egressOnlyHosts).`);
    if (allowAnyClass || (listedPortsOnly ? listsPortOfTarget : listsTarget)(this.allowed, named)) return;
    const kind = addressClass(address);
    if (kind === 'public' || kind === 'private' || (kind === 'loopback' && (policy.allowLoopback || allowLoopback)))
      return;
    this.refuse(
      'addressClass',
      `${host} has a ${kind} address, which may not be reached (the setting egressAllowedHosts can allow it).`,
    );
  }

  async resolve(host: string, port: number): Promise<readonly { address: string; family: 4 | 6 }[]> {
    const bare = bareHost(host);
    const found = await lookup(bare, { all: true }).catch(() =>
      this.refuse('unresolvable', `The host name ${bare} has no address.`),
    );
    for (const { address } of found) this.assertAddress(bare, { address, port });
    return found as readonly { address: string; family: 4 | 6 }[]; // node answers family 4 or 6
  }

  dispatcher(options: EgressDispatcherOptions = {}): Dispatcher {
    const totalMs = options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
    const timeout = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    // The look-up of a connection is not told the port, and the port decides whether a target is a listener of ours.
    const byPort = new Map<number, buildConnector.connector>();
    let secureContext: SecureContext | undefined;
    const connectorFor = (port: number): buildConnector.connector => {
      const lookup = this.pinnedLookup(port);
      // Opened once: a key store takes a tenth of a second, and every connection would begin with that.
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

  /** `lookup` of a connection: returns only addresses that were checked just now. */
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
    this.policy.onRefused?.(reason);
    throw new EgressError(reason, message);
  }
}

/** Host without the brackets of an IPv6 literal. */
const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
