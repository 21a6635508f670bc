// Keys with which this node signs OCSP responses. They are decrypted once and indexed by authority and CA.
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { keyIdentifier, parseCertificate, type Certificate } from '@signetry/pki';
import { importPrivateKey, nodeCrypto } from '@signetry/pki/node';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts';
import type { Platform } from '../../../platform/platform.ts';
import * as store from '../store.ts';
import type { ResponderRow } from '../tables.ts';

export interface Responder {
  readonly uuid: string;
  /** CA that certified the responder, and for whose certificates it may respond. */
  readonly issuerKey: string;
  readonly certificate: Certificate;
  /** Identifies the responder in responses (RFC 6960 §4.2.1, byKey). */
  readonly keyHash: Uint8Array;
  readonly privateKey: KeyObject;
}

/** Context to which a sealed responder key is bound. */
export const sealingPurpose = (responderUuid: string): string => `OCSP responder ${responderUuid}`;

export const responderColumn: SealedColumn = {
  table: 'ocsp_responder',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_key',
  form: 'bytes',
  purpose: ({ uuid = '' }) => sealingPurpose(uuid),
};

/**
 * Maximum number of decrypted keys on this node. An authority has one key, and temporarily a second one during
 * replacement.
 */
const MAX_OPENED = 1_000;

export type Responders = ReturnType<typeof createResponders>;

export function createResponders({ clock, database, sealer, log }: Platform) {
  const opened = new LRUCache<string, Responder>({ max: MAX_OPENED });

  const ofAuthority = createExpiringCache<string, readonly Responder[]>({
    clock,
    load: async (authorityUuid) => {
      const rows = await store.findResponders(database.executor, authorityUuid);
      const responders = await Promise.all(rows.map(openOnce));
      return responders.filter((responder) => responder !== undefined);
    },
  });

  async function openOnce(row: ResponderRow): Promise<Responder | undefined> {
    const known = opened.get(row.uuid);
    if (known) return known;
    if (row.certificate === null || row.issuer_key === null) return undefined;
    try {
      const certificate = parseCertificate(row.certificate);
      const key = sealer.open(row.sealed_key, sealingPurpose(row.uuid));
      const privateKey = await importPrivateKey(key);
      key.fill(0);
      const keyHash = keyIdentifier(certificate.publicKey, nodeCrypto.digest);
      const responder = { uuid: row.uuid, issuerKey: row.issuer_key, certificate, keyHash, privateKey };
      opened.set(row.uuid, responder);
      return responder;
    } catch (error) {
      // A key that was sealed with a different sealing key cannot be recovered; a new responder replaces it.
      log.error({ error, responder: row.uuid, authority: row.authority_uuid }, 'cannot use an OCSP responder key');
      return undefined;
    }
  }

  return {
    /** Returns the CA's responder whose certificate is currently valid and expires last. */
    async find(authorityUuid: string, issuerKey: string): Promise<Responder | undefined> {
      const nowMs = clock.now().getTime();
      const responders = await ofAuthority.get(authorityUuid);
      return responders.find(
        ({ certificate, issuerKey: key }) =>
          key === issuerKey && certificate.notBeforeMs <= nowMs && certificate.notAfterMs > nowMs,
      );
    },

    forget: (authorityUuid: string): void => ofAuthority.invalidate(authorityUuid),
  };
}
