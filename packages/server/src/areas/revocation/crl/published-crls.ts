// Published CRLs as served by this node. The node determines the latest CRL every few seconds, and reads its bytes
// once. A CRL published by this node is visible to it immediately, and to other nodes within a few seconds.
import { LRUCache } from 'lru-cache';
import {
  deltaFits,
  findRevoked,
  mayReplaceReason,
  parseCrl,
  type Certificate,
  type CertificateList,
  type RevocationReason,
  type RevokedEntry,
} from '@signetry/pki';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CrlKind } from '../publication-times.ts';
import * as store from '../store.ts';
import type { CrlFacts, CrlRow } from '../tables.ts';

/** Memory for CRL bytes. When it is full, the least recently requested CRL is evicted, and read again on demand. */
const MAX_CACHED_BYTES = 128 * 1024 * 1024;

/**
 * Maximum CRL size for looking up a single entry, which scans the entry headers. This takes a few milliseconds at the
 * maximum size (350,000 entries).
 */
const MAX_WALKED_BYTES = 16 * 1024 * 1024;

export interface PublishedCrl {
  readonly facts: CrlFacts;
  readonly der: Buffer;
  readonly list: CertificateList;
}

export interface CrlKey {
  readonly authorityUuid: string;
  readonly kind: CrlKind;
}

type FindCrl = (key: CrlKey) => Promise<PublishedCrl | undefined>;

export type PublishedCrls = ReturnType<typeof createPublishedCrls>;

export function createPublishedCrls({ clock, database }: Pick<Platform, 'clock' | 'database'>) {
  /**
   * Latest CRL that this node has seen for each authority and kind. A CRL that exceeds the limit is the only one in the
   * cache.
   */
  const contents = new LRUCache<string, PublishedCrl>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ der }) => Math.min(der.length, MAX_CACHED_BYTES),
  });
  /** Reads in progress, shared by concurrent requests for the same CRL. */
  const reading = new Map<string, Promise<PublishedCrl | undefined>>();

  const latest = createExpiringCache<string, CrlFacts | undefined>({
    clock,
    load: (id) => {
      const [authorityUuid = '', kind] = id.split('/');
      return store.findCrlFacts(database.executor, { authorityUuid, kind: kind as CrlKind }); // Built by `idOf`.
    },
  });

  async function find(key: CrlKey): Promise<PublishedCrl | undefined> {
    const id = idOf(key);
    const facts = await latest.get(id);
    if (!facts) return undefined;
    const known = contents.get(id);
    return known?.facts.sha256 === facts.sha256 ? { ...known, facts } : readOnce(key);
  }

  function readOnce(key: CrlKey): Promise<PublishedCrl | undefined> {
    const id = idOf(key);
    const running = reading.get(id);
    if (running) return running;
    const started = read(key).finally(() => reading.delete(id));
    reading.set(id, started);
    return started;
  }

  /** Retries if a different CRL is published during the read. */
  async function read(key: CrlKey): Promise<PublishedCrl | undefined> {
    for (;;) {
      const facts = await latest.get(idOf(key));
      if (!facts) return undefined;
      const der = await store.readCrl(database.executor, facts);
      if (der) return cacheCrl({ facts, der, list: parseCrl(der) });
      latest.invalidate(idOf(key));
    }
  }

  /** Replaces the previous CRL, which is no longer needed. */
  function cacheCrl(crl: PublishedCrl): PublishedCrl {
    contents.set(idOf({ authorityUuid: crl.facts.authority_uuid, kind: crl.facts.kind }), crl);
    return crl;
  }

  return {
    find,

    /** Returns the CRL that is currently in the database, for decisions. */
    findFresh: (key: CrlKey): Promise<PublishedCrl | undefined> => {
      latest.invalidate(idOf(key));
      return find(key);
    },

    /** Caches a CRL published by this node, so that its bytes do not need to be read back. */
    remember({ der, ...facts }: CrlRow): void {
      latest.invalidate(idOf({ authorityUuid: facts.authority_uuid, kind: facts.kind }));
      cacheCrl({ facts, der, list: parseCrl(der) });
    },

    /**
     * Returns a certificate's entry in the authority's CRLs; the delta CRL takes precedence over the full CRL. Also
     * returns undefined if the search would take too long.
     */
    async entryOf(
      authorityUuid: string,
      certificate: { readonly issuerKey: string; readonly serialBytes: Uint8Array },
    ): Promise<RevokedEntry | undefined> {
      for (const crl of await pairOf(find, authorityUuid)) {
        if (crl.facts.issuer_key !== certificate.issuerKey || crl.der.length > MAX_WALKED_BYTES) continue;
        const entry = findRevoked(crl.list, certificate.serialBytes);
        if (entry) return entry.reason === 'removeFromCRL' ? undefined : entry;
      }
      return undefined;
    },

    /**
     * Returns a function that checks whether relying parties can find a revocation in the authority's CRLs, as
     * currently stored in the database.
     */
    async showing(authorityUuid: string): Promise<(revocation: Revocation) => boolean> {
      for (const kind of ['full', 'delta'] as const) latest.invalidate(idOf({ authorityUuid, kind }));
      const pair = await pairOf(find, authorityUuid);
      return (revocation) => pairReflects(pair, revocation);
    },
  };
}

/** A revoked certificate, with the reason if it is known; or a certificate released from hold. */
export interface Revocation {
  readonly certificate: Pick<Certificate, 'serialBytes'>;
  readonly reason: RevocationReason | undefined;
  readonly isReleased: boolean;
}

/**
 * Whether a CRL reflects the revocation in its current form. If the reason was changed later, older CRLs do not include
 * the change.
 */
export function reflects(
  { list }: Pick<PublishedCrl, 'list'>,
  { certificate, reason, isReleased }: Revocation,
): boolean {
  const entry = findRevoked(list, certificate.serialBytes);
  if (isReleased) return entry === undefined || entry.reason === 'removeFromCRL';
  return entry !== undefined && entry.reason !== 'removeFromCRL' && !mayReplaceReason(entry.reason, reason);
}

/**
 * Whether a delta CRL and its full CRL together reflect the revocation. The delta CRL takes precedence if it lists the
 * certificate (RFC 5280 §6.3.3).
 */
function pairReflects(pair: readonly PublishedCrl[], revocation: Revocation): boolean {
  if (!revocation.isReleased) return pair.some((crl) => reflects(crl, revocation));
  const decides = pair.find(({ list }) => findRevoked(list, revocation.certificate.serialBytes));
  return pair.length > 0 && (decides === undefined || reflects(decides, revocation));
}

/** Returns the authority's delta CRL, if it applies to the full CRL, followed by the full CRL. */
async function pairOf(find: FindCrl, authorityUuid: string): Promise<readonly PublishedCrl[]> {
  const full = await find({ authorityUuid, kind: 'full' });
  if (!full) return [];
  const delta = await find({ authorityUuid, kind: 'delta' });
  return delta && deltaFits(full.list, delta.list) ? [delta, full] : [full];
}

const idOf = ({ authorityUuid, kind }: CrlKey): string => `${authorityUuid}/${kind}`;
