// CRLs by URL: downloaded once, indexed off the event loop, and cached until the next CRL is due, or until nextUpdate
// if the next one is unavailable. Failures are also cached.
import { LRUCache } from 'lru-cache';
import {
  indexedCrl,
  isPkiError,
  parseCrl,
  readCrl,
  type CertificateList,
  type CrlIndexTables,
  type IndexedCrl,
} from '@signetry/pki';
import type { Clock } from '../../kernel/clock.ts';
import { isAppError } from '../../kernel/errors.ts';
import { FAILURE_MS, ExternalFetchError, type FetchExternal } from './fetch-external.ts';

const MAX_CRL_BYTES = 64 * 1024 * 1024;
/** Total size of all cached CRLs and their indexes. */
const MAX_KEPT_BYTES = 160 * 1024 * 1024;
const MAX_KEPT = 4_000;
/** Maximum time that a CRL is cached: authorities may publish a new CRL before the previous one expires. */
const LONGEST_MS = 24 * 3_600_000;
/** Minimum time that a CRL is cached, even if it has already expired. */
const SHORTEST_MS = 60_000;

export interface CachedCrl extends IndexedCrl {
  readonly tables: CrlIndexTables;
  /** Signature verification results, by public key in hex. */
  readonly signatures: Map<string, boolean>;
}

export type CrlOutcome = { readonly list: CachedCrl } | { readonly problem: string };

export interface CrlSource {
  /** Returns the CRL from the cache, or downloads it if the cached copy is older than `maxAgeMs`. */
  at(url: string, maxAgeMs?: number): Promise<CrlOutcome>;
  /** Returns the cached outcome without sending a request. */
  known(url: string): CrlOutcome | undefined;
}

export interface CrlSourceParts {
  readonly clock: Clock;
  readonly fetchOutside: FetchExternal;
  /** Runs off the event loop if the CRL is long. */
  readonly indexCrl: (der: Uint8Array) => Promise<CrlIndexTables>;
}

interface CacheEntry {
  readonly outcome: CrlOutcome;
  readonly until: number;
  readonly loadedAt: number;
}

export function createCrlSource({ clock, fetchOutside, indexCrl }: CrlSourceParts): CrlSource {
  const kept = new LRUCache<string, CacheEntry>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ outcome }) => ('list' in outcome ? sizeOf(outcome.list) : 1024),
  });
  const underWay = new Map<string, Promise<CrlOutcome>>();

  function findCached(url: string): CrlOutcome | undefined {
    const entry = kept.get(url);
    return entry && entry.until > clock.now().getTime() ? entry.outcome : undefined;
  }

  async function load(url: string): Promise<CrlOutcome> {
    const now = clock.now().getTime();
    const former = kept.get(url)?.outcome;
    const outcome = await download(url);
    if ('list' in outcome)
      return storeEntry(url, { outcome, until: cachedUntil(outcome.list.crl, now), loadedAt: now });
    // A CRL remains valid until its nextUpdate, even if no newer one is available (RFC 5280 §5.1.2.5).
    const goodUntil = former && 'list' in former ? (former.list.crl.nextUpdateMs ?? 0) : 0;
    if (former && goodUntil > now)
      return storeEntry(url, { outcome: former, until: Math.min(goodUntil, now + FAILURE_MS), loadedAt: now });
    return storeEntry(url, { outcome, until: now + FAILURE_MS, loadedAt: now });
  }

  function storeEntry(url: string, entry: CacheEntry): CrlOutcome {
    kept.set(url, entry);
    return entry.outcome;
  }

  async function download(url: string): Promise<CrlOutcome> {
    try {
      const octets = await fetchOutside(url, { maxBytes: MAX_CRL_BYTES, accept: 'application/pkix-crl' });
      const crl = octets[0] === DER_SEQUENCE ? parseCrl(toSharedMemory(octets)) : readCrl(octets);
      const tables = await indexCrl(crl.der);
      return { list: { ...indexedCrl(crl, tables), tables, signatures: new Map() } };
    } catch (error) {
      if (error instanceof ExternalFetchError) return { problem: `${url} ${error.message}.` };
      if (isPkiError(error)) return { problem: `${url} did not return a CRL: ${error.message.replace(/\.$/, '')}.` };
      if (isAppError(error))
        return { problem: `The CRL from ${url} could not be read: ${error.message.replace(/\.$/, '')}.` };
      throw error;
    }
  }

  return {
    known: findCached,
    async at(url, maxAgeMs = Number.POSITIVE_INFINITY) {
      const outcome = findCached(url);
      const ageMs = clock.now().getTime() - (kept.peek(url)?.loadedAt ?? 0);
      if (outcome && ageMs <= maxAgeMs) return outcome;
      const loading = underWay.get(url) ?? load(url).finally(() => underWay.delete(url));
      underWay.set(url, loading);
      return loading;
    },
  };
}

const DER_SEQUENCE = 0x30;

/** Copies the bytes into memory that other threads can read without another copy. */
function toSharedMemory(octets: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(octets.length));
  copy.set(octets);
  return copy;
}

const sizeOf = ({ crl, tables }: CachedCrl): number => 1024 + crl.der.length + tables.slots.byteLength;

function cachedUntil({ nextUpdateMs }: CertificateList, now: number): number {
  return Math.max(now + SHORTEST_MS, Math.min(nextUpdateMs ?? 0, now + LONGEST_MS));
}
