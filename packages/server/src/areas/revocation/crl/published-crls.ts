// The published CRLs as this node serves them: which one is the latest is looked up every few seconds, its bytes are
// read once. A CRL that this node publishes is seen by it at once, by other nodes within those seconds.
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

/** Memory for the bytes of lists; beyond it, the least recently requested one is dropped and read again on demand. */
const MAX_CACHED_BYTES = 128 * 1024 * 1024;

/** Looking up one entry walks the headers of the list: some milliseconds for this many bytes, 350,000 entries. */
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
  /** The latest list of each authority and kind that this node has seen. A list beyond the bound is kept alone. */
  const contents = new LRUCache<string, PublishedCrl>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ der }) => Math.min(der.length, MAX_CACHED_BYTES),
  });
  /** Those who want a list that is being read wait for it together. */
  const reading = new Map<string, Promise<PublishedCrl | undefined>>();

  const latest = createExpiringCache<string, CrlFacts | undefined>({
    clock,
    load: (id) => {
      const [authorityUuid = '', kind] = id.split('/');
      return store.findCrlFacts(database.executor, { authorityUuid, kind: kind as CrlKind }); // made by idOf
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

  /** Again when another list was published while this one was read. */
  async function read(key: CrlKey): Promise<PublishedCrl | undefined> {
    for (;;) {
      const facts = await latest.get(idOf(key));
      if (!facts) return undefined;
      const der = await store.readCrl(database.executor, facts);
      if (der) return keep({ facts, der, list: parseCrl(der) });
      latest.invalidate(idOf(key));
    }
  }

  /** Takes the place of the list before it, which is no longer needed. */
  function keep(crl: PublishedCrl): PublishedCrl {
    contents.set(idOf({ authorityUuid: crl.facts.authority_uuid, kind: crl.facts.kind }), crl);
    return crl;
  }

  return {
    find,

    /** What the database says now, for decisions. */
    findFresh: (key: CrlKey): Promise<PublishedCrl | undefined> => {
      latest.invalidate(idOf(key));
      return find(key);
    },

    /** What this node has published itself: its octets need not be read back. */
    remember({ der, ...facts }: CrlRow): void {
      latest.invalidate(idOf({ authorityUuid: facts.authority_uuid, kind: facts.kind }));
      keep({ facts, der, list: parseCrl(der) });
    },

    /**
     * The entry of a certificate in the CRLs of an authority, that of the delta before that of the full list; undefined
     * also where looking for it would take long.
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

    /** Tells whether relying parties find a revocation in the CRLs of an authority as the database has them now. */
    async showing(authorityUuid: string): Promise<(revocation: Revocation) => boolean> {
      for (const kind of ['full', 'delta'] as const) latest.invalidate(idOf({ authorityUuid, kind }));
      const pair = await pairOf(find, authorityUuid);
      return (revocation) => showsTogether(pair, revocation);
    },
  };
}

/** A certificate that was revoked, and why as far as is known; or released from hold. */
export interface Revocation {
  readonly certificate: Pick<Certificate, 'serialBytes'>;
  readonly reason: RevocationReason | undefined;
  readonly isReleased: boolean;
}

/** Does a list say what is known of a revocation? A reason that was replaced later is not in older ones. */
export function shows({ list }: Pick<PublishedCrl, 'list'>, { certificate, reason, isReleased }: Revocation): boolean {
  const entry = findRevoked(list, certificate.serialBytes);
  if (isReleased) return entry === undefined || entry.reason === 'removeFromCRL';
  return entry !== undefined && entry.reason !== 'removeFromCRL' && !mayReplaceReason(entry.reason, reason);
}

/** Of a delta and its full list: the delta counts more where it names the certificate (RFC 5280 §6.3.3). */
function showsTogether(pair: readonly PublishedCrl[], revocation: Revocation): boolean {
  if (!revocation.isReleased) return pair.some((crl) => shows(crl, revocation));
  const decides = pair.find(({ list }) => findRevoked(list, revocation.certificate.serialBytes));
  return pair.length > 0 && (decides === undefined || shows(decides, revocation));
}

/** The delta of an authority, where it completes the full list, and the full list. */
async function pairOf(find: FindCrl, authorityUuid: string): Promise<readonly PublishedCrl[]> {
  const full = await find({ authorityUuid, kind: 'full' });
  if (!full) return [];
  const delta = await find({ authorityUuid, kind: 'delta' });
  return delta && deltaFits(full.list, delta.list) ? [delta, full] : [full];
}

const idOf = ({ authorityUuid, kind }: CrlKey): string => `${authorityUuid}/${kind}`;
