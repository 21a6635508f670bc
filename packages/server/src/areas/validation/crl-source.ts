// CRLs by their addresses: downloaded once, indexed off the event loop, kept until the next one comes out; where that
// cannot be had, until it is due. What failed is remembered as well.
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
import { FAILURE_MS, OutsideFault, type FetchOutside } from './fetch-outside.ts';

const MAX_CRL_BYTES = 64 * 1024 * 1024;
/** Of all lists that are kept, with their indexes. */
const MAX_KEPT_BYTES = 160 * 1024 * 1024;
const MAX_KEPT = 4_000;
/** Authorities publish revocations before the old list ends. */
const LONGEST_MS = 24 * 3_600_000;
/** A list that has expired is asked for again after this time. */
const SHORTEST_MS = 60_000;

export interface KeptCrl extends IndexedCrl {
  readonly tables: CrlIndexTables;
  /** Verdicts about its signature, by the key in hex. */
  readonly signatures: Map<string, boolean>;
}

export type CrlOutcome = { readonly list: KeptCrl } | { readonly problem: string };

export interface CrlSource {
  /** A list that was downloaded longer ago than `maxAgeMs` is asked for again. */
  at(url: string, maxAgeMs?: number): Promise<CrlOutcome>;
  /** What is known without asking. */
  known(url: string): CrlOutcome | undefined;
}

export interface CrlSourceParts {
  readonly clock: Clock;
  readonly fetchOutside: FetchOutside;
  /** Off the event loop where the list is long. */
  readonly indexCrl: (der: Uint8Array) => Promise<CrlIndexTables>;
}

interface Kept {
  readonly outcome: CrlOutcome;
  readonly until: number;
  readonly loadedAt: number;
}

export function createCrlSource({ clock, fetchOutside, indexCrl }: CrlSourceParts): CrlSource {
  const kept = new LRUCache<string, Kept>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ outcome }) => ('list' in outcome ? sizeOf(outcome.list) : 1024),
  });
  const underWay = new Map<string, Promise<CrlOutcome>>();

  function known(url: string): CrlOutcome | undefined {
    const entry = kept.get(url);
    return entry && entry.until > clock.now().getTime() ? entry.outcome : undefined;
  }

  async function load(url: string): Promise<CrlOutcome> {
    const now = clock.now().getTime();
    const former = kept.get(url)?.outcome;
    const outcome = await download(url);
    if ('list' in outcome) return keep(url, { outcome, until: keptUntil(outcome.list.crl, now), loadedAt: now });
    // A list holds until its next one is due, whether or not a newer one can be had (RFC 5280 §5.1.2.5).
    const goodUntil = former && 'list' in former ? (former.list.crl.nextUpdateMs ?? 0) : 0;
    if (former && goodUntil > now)
      return keep(url, { outcome: former, until: Math.min(goodUntil, now + FAILURE_MS), loadedAt: now });
    return keep(url, { outcome, until: now + FAILURE_MS, loadedAt: now });
  }

  function keep(url: string, entry: Kept): CrlOutcome {
    kept.set(url, entry);
    return entry.outcome;
  }

  async function download(url: string): Promise<CrlOutcome> {
    try {
      const octets = await fetchOutside(url, { maxBytes: MAX_CRL_BYTES, accept: 'application/pkix-crl' });
      const crl = octets[0] === DER_SEQUENCE ? parseCrl(shared(octets)) : readCrl(octets);
      const tables = await indexCrl(crl.der);
      return { list: { ...indexedCrl(crl, tables), tables, signatures: new Map() } };
    } catch (error) {
      if (error instanceof OutsideFault) return { problem: `${url} ${error.message}.` };
      if (isPkiError(error))
        return { problem: `${url} answered with something that is no CRL: ${error.message.replace(/\.$/, '')}.` };
      if (isAppError(error))
        return { problem: `The CRL of ${url} could not be read: ${error.message.replace(/\.$/, '')}.` };
      throw error;
    }
  }

  return {
    known,
    async at(url, maxAgeMs = Number.POSITIVE_INFINITY) {
      const outcome = known(url);
      const ageMs = clock.now().getTime() - (kept.peek(url)?.loadedAt ?? 0);
      if (outcome && ageMs <= maxAgeMs) return outcome;
      const loading = underWay.get(url) ?? load(url).finally(() => underWay.delete(url));
      underWay.set(url, loading);
      return loading;
    },
  };
}

const DER_SEQUENCE = 0x30;

/** In memory that other threads read without a copy. */
function shared(octets: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(octets.length));
  copy.set(octets);
  return copy;
}

const sizeOf = ({ crl, tables }: KeptCrl): number => 1024 + crl.der.length + tables.slots.byteLength;

function keptUntil({ nextUpdateMs }: CertificateList, now: number): number {
  return Math.max(now + SHORTEST_MS, Math.min(nextUpdateMs ?? 0, now + LONGEST_MS));
}
