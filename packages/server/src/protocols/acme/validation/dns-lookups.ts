// DNS lookups for validation, with the ACME profile's resolver or the system's. Nothing is cached between validations,
// so that newly created records are found (c-ares has a cache, which Node disables). Responses are at most 64 KiB long,
// the limit for DNS messages; alias chains and time are limited here. The resolver itself can have any IP address,
// including one in an internal network, because only DNS messages are sent to it.
import { lookup, Resolver } from 'node:dns/promises';
import type { CaaRecord as NodeCaaRecord } from 'node:dns';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { LookupFailure } from './lookup-failure.ts';
import { unlessAborted, VALIDATION_LIMIT_MS } from './time-limit.ts';
import type { ValidationRules } from './challenge.ts';

export interface LookupOptions {
  readonly resolver: ValidationRules['resolver'];
  readonly signal: AbortSignal;
}

/**
 * DNS lookup functions. All of them throw `LookupFailure` if a query fails; the result is empty if the records are
 * known not to exist.
 */
export interface DnsLookups {
  /** Returns IPv6 and IPv4 addresses alternately, IPv6 first. */
  addresses(name: string, options: LookupOptions): Promise<LookupResult<string>>;
  /** Returns each record with its strings joined (RFC 8555 §8.4). */
  texts(name: string, options: LookupOptions): Promise<LookupResult<string>>;
  caaRecords(name: string, options: LookupOptions): Promise<LookupResult<CaaRecord>>;
}

export interface LookupResult<T> {
  readonly records: readonly T[];
  /** False if the name itself does not exist (NXDOMAIN). */
  readonly nameExists: boolean;
}

export interface CaaRecord {
  /** In lowercase: tags are compared case-insensitively (RFC 8659 §4.1). */
  readonly tag: string;
  readonly value: string;
  /** Issuers that do not support the tag must not issue. */
  readonly isCritical: boolean;
}

/** Maximum number of aliases followed per query. */
const MAX_ALIASES = 8;
/** Maximum number of cached resolvers; most profiles use the same one. */
const MAX_RESOLVERS = 16;
/**
 * c-ares reduces its first timeout to the server's usual response time (at least 250 ms), and doubles it with each try.
 * Five tries give a resolver with distant upstream servers several seconds, and still end within the limit.
 */
const TRIES = 5;

/**
 * Creates the lookups. `limitMs` is the time limit for a whole attempt: the resolver abandons a query by then, even if
 * callers are still waiting.
 */
export function createDnsLookups({ limitMs = VALIDATION_LIMIT_MS }: { readonly limitMs?: number } = {}): DnsLookups {
  const resolvers = new LRUCache<string, Resolver>({ max: MAX_RESOLVERS });

  function resolverFor(configured: ValidationRules['resolver']): Resolver {
    const server = configured === undefined ? '' : serverText(configured);
    const known = resolvers.get(server);
    if (known) return known;
    const timeout = Math.ceil(limitMs / TRIES);
    const resolver = new Resolver({ timeout, maxTimeout: timeout, tries: TRIES });
    if (server !== '') resolver.setServers([server]);
    resolvers.set(server, resolver);
    return resolver;
  }

  return {
    addresses: (name, { resolver, signal }) => {
      const dns = resolverFor(resolver);
      if (resolver === undefined) {
        const asked = toLookupResult(unlessAborted(systemAddresses(name), signal));
        return asked.catch((error: unknown) => throwLoopError(dns, { passed: [name], signal, error }));
      }
      return followAliases(dns, { name, signal, lookUp: (at) => lookUpBothFamilies(dns, { name: at, signal }) });
    },
    texts: (name, { resolver, signal }) => {
      const dns = resolverFor(resolver);
      const lookUp = async (at: string) =>
        mapRecords(await toLookupResult(unlessAborted(dns.resolveTxt(at), signal)), (strings) => strings.join(''));
      return followAliases(dns, { name, signal, lookUp });
    },
    caaRecords: (name, { resolver, signal }) => {
      const dns = resolverFor(resolver);
      const lookUp = async (at: string) =>
        mapRecords(await toLookupResult(unlessAborted(dns.resolveCaa(at), signal)), caaRecord);
      return followAliases(dns, { name, signal, lookUp });
    },
  };
}

const serverText = ({ address, port }: { address: string; port: number }): string =>
  isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;

const mapRecords = <From, To>(
  { records, nameExists }: LookupResult<From>,
  change: (record: From) => To,
): LookupResult<To> => ({
  records: records.map(change),
  nameExists,
});

/** Distinguishes an empty response from a failed query. */
async function toLookupResult<T>(asked: Promise<readonly T[]>): Promise<LookupResult<T>> {
  try {
    return { records: await asked, nameExists: true };
  } catch (error) {
    const failure = new LookupFailure(error);
    if (failure.reason === 'noData') return { records: [], nameExists: true };
    if (failure.reason === 'noName') return { records: [], nameExists: false };
    throw failure;
  }
}

/** Looks up addresses like any program on this machine: uses /etc/hosts, the system's search order and its aliases. */
async function systemAddresses(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  const filterFamily = (family: number) =>
    found.filter((entry) => entry.family === family).map(({ address }) => address);
  return interleave(filterFamily(6), filterFamily(4));
}

/** Looks up both address families, only one of which must succeed: many servers fail only for AAAA. */
async function lookUpBothFamilies(
  dns: Resolver,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): Promise<LookupResult<string>> {
  const nothing: LookupResult<string> = { records: [], nameExists: false };
  let failure: unknown;
  const emptyOnFailure = (asked: Promise<LookupResult<string>>) =>
    asked.catch((error: unknown) => {
      failure = error;
      return nothing;
    });
  const asked = Promise.all([
    emptyOnFailure(toLookupResult(dns.resolve6(name))),
    emptyOnFailure(toLookupResult(dns.resolve4(name))),
  ]);
  const [six, four] = await unlessAborted(asked, signal).catch((error: unknown) => {
    throw new LookupFailure(error);
  });
  const records = interleave(six.records, four.records);
  if (records.length === 0 && failure !== undefined) throw failure;
  return { records, nameExists: six.nameExists || four.nameExists };
}

/**
 * Alternates between IPv6 and IPv4, starting with IPv6, so that an unreachable address family does not use up all
 * attempts (RFC 8305 §4).
 */
function interleave(six: readonly string[], four: readonly string[]): readonly string[] {
  const places = Array.from({ length: Math.max(six.length, four.length) }, (_, place) => place);
  return places.flatMap((place) => [six[place], four[place]].filter((address) => address !== undefined));
}

interface AliasLookup<T> {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly lookUp: (name: string) => Promise<LookupResult<T>>;
}

/** Follows aliases if the resolver does not follow them itself (RFC 1034 §3.6.2). */
async function followAliases<T>(dns: Resolver, { name, signal, lookUp }: AliasLookup<T>): Promise<LookupResult<T>> {
  const passed = [name];
  for (;;) {
    const at = passed.at(-1) ?? name;
    const found = await lookUp(at).catch((error: unknown) => throwLoopError(dns, { passed, signal, error }));
    if (found.records.length > 0 || !found.nameExists) return found;
    const alias = await nextAlias(dns, { passed, signal });
    if (alias === undefined) return found;
    passed.push(alias);
  }
}

interface AliasPath {
  /** The name and the aliases followed so far. */
  readonly passed: readonly string[];
  readonly signal: AbortSignal;
}

/** Returns the last name's alias; throws if it must not be followed. */
async function nextAlias(dns: Resolver, { passed, signal }: AliasPath): Promise<string | undefined> {
  const { records } = await toLookupResult(unlessAborted(dns.resolveCname(passed.at(-1) ?? ''), signal));
  const alias = records[0]?.toLowerCase();
  if (alias === undefined) return undefined;
  if (passed.includes(alias)) throw new LookupFailure('aliasLoop');
  if (passed.length > MAX_ALIASES) throw new LookupFailure('aliasChain');
  return alias;
}

/**
 * Resolvers that follow aliases return SERVFAIL for a loop, but return the aliases when queried for CNAME records.
 * Throws an error for the loop if there is one, or else the original error.
 */
async function throwLoopError(
  dns: Resolver,
  { passed, signal, error }: AliasPath & { error: unknown },
): Promise<never> {
  if (!(error instanceof LookupFailure) || error.reason !== 'servfail') throw error;
  const names = [...passed];
  for (;;) {
    const alias = await nextAlias(dns, { passed: names, signal }).catch((cause: unknown) => {
      throw cause instanceof LookupFailure && cause.reason === 'aliasLoop' ? cause : error;
    });
    if (alias === undefined) throw error;
    names.push(alias);
  }
}

function caaRecord(record: NodeCaaRecord): CaaRecord {
  // Node returns the flags as `critical` and the value under the tag, possibly along with the record type.
  const { critical, type: _type, ...properties } = record as NodeCaaRecord & { type?: string };
  const [tag, value] = Object.entries(properties)[0] ?? ['', ''];
  // A property named `critical` overwrites the flags: no such tag is defined, so the strict interpretation costs
  // nothing.
  return { tag: tag.toLowerCase(), value: String(value), isCritical: typeof critical !== 'number' || critical >= 0x80 };
}
