// Issuer certificates of the inventory, found by name, those with the wanted key identifier first, and proven by
// signature. Remembered for seconds: a hot path asks for the same issuer again and again.
import {
  fromHex,
  isSignedBy,
  parseCertificate,
  TAG,
  toHex,
  unlessMalformed,
  type Certificate,
  type CertificateList,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Clock } from '../../kernel/clock.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Executor } from '../../platform/database/database.ts';
import * as store from './store-ca.ts';

export interface Issuer {
  readonly row: store.CaCertificateRow;
  readonly certificate: Certificate;
}

/** A CA certificate on the way from the CA that issues to its root. */
export type PathLink = store.CaPathRow;

export type Issuers = ReturnType<typeof createIssuers>;

/**
 * Of one name, renewals and cross-certificates, with the wanted key identifier, and as many with another or none. The
 * trusted ones come first, so that others cannot displace them.
 */
const MAX_OF_ONE_NAME = 64;
/** Real ones have 20 or 32 octets; the encoding of longer ones differs. */
const MAX_KEY_IDENTIFIER = 127;

/** Whether the limit left out some that have the name, so that the issuer may be one of those. */
export const isCut = (named: readonly Issuer[]): boolean => named.length < (named[0]?.row.of_subject ?? 0);

/** The key identifier of the issuer, as a certificate or a CRL states it. Only a hint (RFC 5280 §4.2.1.1). */
export const issuerKeyOf = (
  object: Pick<Certificate | CertificateList, 'authorityKeyIdentifier'>,
): Uint8Array | undefined => unlessMalformed(() => object.authorityKeyIdentifier?.keyIdentifier);

export function createIssuers(options: { readonly executor: Executor; readonly clock: Clock }) {
  const candidates = createExpiringCache<string, readonly Issuer[]>({
    clock: options.clock,
    load: async (key) => {
      const end = key.indexOf(' ');
      const [keyIdentifier, subjectDnNormalized] = [key.slice(0, end), key.slice(end + 1)];
      const rows = await store.findCaCertificatesBySubject(options.executor, {
        subjectDnNormalized,
        keyIdentifier: keyIdentifier === '' ? undefined : fromHex(keyIdentifier),
        limit: MAX_OF_ONE_NAME,
      });
      return rows.map((row) => ({ row, certificate: parseCertificate(row.der) }));
    },
  });

  const paths = createExpiringCache<string, readonly PathLink[]>({
    clock: options.clock,
    load: (caCertificateUuid) => store.findCaPath(options.executor, caCertificateUuid),
  });

  /** CA certificates with the name of the issuer, whether or not one of them signed; by its key identifier first. */
  function named(issuerDnNormalized: string, issuerKey: Uint8Array | undefined): Promise<readonly Issuer[]> {
    const octets = issuerKey ?? new Uint8Array();
    const isUsual = octets.length > 0 && octets.length <= MAX_KEY_IDENTIFIER;
    const encoded = isUsual ? toHex(Uint8Array.of(TAG.octetString, octets.length, ...octets)) : '';
    return candidates.get(`${encoded} ${issuerDnNormalized}`);
  }

  return {
    /** The CA certificate and those above it, as far as they are linked. */
    pathOf: (caCertificateUuid: string): Promise<readonly PathLink[]> => paths.get(caCertificateUuid),

    named,

    /** The CA certificate whose key made the signature, or undefined. A root is its own issuer. */
    async of(certificate: Certificate, issuerDnNormalized: string): Promise<Issuer | undefined> {
      const all = await named(issuerDnNormalized, issuerKeyOf(certificate));
      return all.find((issuer) =>
        isSignedBy(certificate, { issuerSpki: issuer.certificate.spki, verify: nodeCrypto.verify }),
      );
    },

    /** A CA certificate was added, removed or revoked, or its trust changed. */
    forget: (): void => {
      candidates.invalidate();
      paths.invalidate();
    },
  };
}
