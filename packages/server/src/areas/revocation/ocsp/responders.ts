// The keys that sign OCSP responses, as this node uses them: opened once, looked up by authority and CA.
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
  /** The CA that certified it, and about whose certificates it may speak. */
  readonly issuerKey: string;
  readonly certificate: Certificate;
  /** Names it in responses (RFC 6960 §4.2.1, byKey). */
  readonly keyHash: Uint8Array;
  readonly privateKey: KeyObject;
}

/** What a sealed responder key is bound to. */
export const sealingPurpose = (responderUuid: string): string => `OCSP responder ${responderUuid}`;

export const responderColumn: SealedColumn = {
  table: 'ocsp_responder',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_key',
  form: 'bytes',
  purpose: ({ uuid = '' }) => sealingPurpose(uuid),
};

/** Opened keys of this node: one for each authority and one more while they change. */
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
      // A key that another sealing key sealed is lost; a new responder takes its place.
      log.error({ error, responder: row.uuid, authority: row.authority_uuid }, 'an OCSP responder key cannot be used');
      return undefined;
    }
  }

  return {
    /** The responder of a CA whose certificate is valid now and for the longest. */
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
