// The published CRLs as this node serves them: which one is the latest is looked up every few seconds, its bytes are read
// once. A CRL that this node publishes is seen by it at once, by other nodes within those seconds.
import { findRevoked, parseCrl, type CertificateList, type RevokedEntry } from '@signetry/pki';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CrlKind } from '../domain.ts';
import * as store from '../store.ts';
import type { CrlFacts } from '../tables.ts';

/** Memory for the bytes of lists; beyond it the one that was not asked for the longest is read again when it is. */
const MAX_CACHED_BYTES = 128 * 1024 * 1024;

/** Looking up one entry walks the list: a millisecond or two for this many bytes, some 85,000 entries. */
const MAX_WALKED_BYTES = 4 * 1024 * 1024;

export interface PublishedCrl {
  readonly facts: CrlFacts;
  readonly der: Buffer;
  readonly list: CertificateList;
}

export interface CrlKey {
  readonly authorityUuid: string;
  readonly kind: CrlKind;
}

export type PublishedCrls = ReturnType<typeof createPublishedCrls>;

export function createPublishedCrls({ clock, database }: Pick<Platform, 'clock' | 'database'>) {
  /** By digest of the list; in order of use. */
  const contents = new Map<string, PublishedCrl>();
  let cachedBytes = 0;

  const latest = createExpiringCache<string, CrlFacts | undefined>({
    clock,
    load: (id) => {
      const [authorityUuid = '', kind] = id.split('/');
      return store.findCrlFacts(database.executor, { authorityUuid, kind: kind as CrlKind }); // made by idOf
    },
  });

  async function find(key: CrlKey): Promise<PublishedCrl | undefined> {
    const facts = await latest.get(idOf(key));
    if (!facts) return undefined;
    const known = contents.get(facts.sha256);
    if (known) {
      contents.delete(facts.sha256);
      contents.set(facts.sha256, known);
      return { ...known, facts };
    }
    const row = await store.findCrl(database.executor, key);
    if (!row) return undefined;
    const { der, ...found } = row;
    const crl = { facts: found, der, list: parseCrl(der) };
    keep(crl);
    return crl;
  }

  function keep(crl: PublishedCrl): void {
    if (contents.has(crl.facts.sha256)) return;
    contents.set(crl.facts.sha256, crl);
    cachedBytes += crl.der.length;
    for (const [digest, other] of contents) {
      if (cachedBytes <= MAX_CACHED_BYTES || digest === crl.facts.sha256) break;
      contents.delete(digest);
      cachedBytes -= other.der.length;
    }
  }

  return {
    find,

    /** What the database says now, for decisions. */
    findFresh: (key: CrlKey): Promise<PublishedCrl | undefined> => {
      latest.invalidate(idOf(key));
      return find(key);
    },

    /** The entry of a certificate in the full CRL of an authority; undefined also where looking for it would take long. */
    async entryOf(
      authorityUuid: string,
      certificate: { readonly issuerKey: string; readonly serialBytes: Uint8Array },
    ): Promise<RevokedEntry | undefined> {
      const crl = await find({ authorityUuid, kind: 'full' });
      if (!crl || crl.facts.issuer_key !== certificate.issuerKey || crl.der.length > MAX_WALKED_BYTES) return undefined;
      return findRevoked(crl.list, certificate.serialBytes);
    },

    forget: (key: CrlKey): void => latest.invalidate(idOf(key)),
  };
}

const idOf = ({ authorityUuid, kind }: CrlKey): string => `${authorityUuid}/${kind}`;
