// Issuer certificates in the inventory. They are looked up by name, with those that have the wanted key identifier
// first, and verified by signature. Cached for a few seconds, because hot paths look up the same issuer repeatedly.
import {
  commonName,
  fromHex,
  isSignedBy,
  normalizeName,
  parseCertificate,
  TAG,
  toHex,
  unlessMalformed,
  type Certificate,
  type CertificateList,
  type Name,
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

/** CA certificate in the chain from the issuing CA to its root. */
export type PathLink = store.CaPathRow;

export type Issuers = ReturnType<typeof createIssuers>;

/**
 * Limit per name, for certificates with the wanted key identifier and separately for those without it. Renewals and
 * cross-certificates share a name. Trusted certificates come first, so that others cannot displace them.
 */
const MAX_OF_ONE_NAME = 64;
/** Real key identifiers are 20 or 32 bytes long; those beyond this limit are encoded differently. */
const MAX_KEY_IDENTIFIER = 127;

/** Returns whether the limit omitted certificates that have the name. One of these may be the issuer. */
export const isTruncated = (named: readonly Issuer[]): boolean => named.length < (named[0]?.row.of_subject ?? 0);

/** Returns the issuer's key identifier as stated in a certificate or CRL. Only a hint (RFC 5280 §4.2.1.1). */
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

  const crlIssuers = createExpiringCache<string, readonly Certificate[]>({
    clock: options.clock,
    load: async (key) => {
      const [name = '', subjectDnNormalized = ''] = key.split('\0');
      const search = { commonName: name, subjectDnNormalized, limit: MAX_OF_ONE_NAME };
      return (await store.findCrlIssuers(options.executor, search)).map(({ der }) => parseCertificate(der));
    },
  });

  const paths = createExpiringCache<string, readonly PathLink[]>({
    clock: options.clock,
    load: (caCertificateUuid) => store.findCaPath(options.executor, caCertificateUuid),
  });

  /**
   * Returns the CA certificates that have the issuer's name, whether or not one of them is the signer. Certificates
   * with the issuer's key identifier come first.
   */
  function findByName(issuerDnNormalized: string, issuerKey: Uint8Array | undefined): Promise<readonly Issuer[]> {
    const octets = issuerKey ?? new Uint8Array();
    const isUsual = octets.length > 0 && octets.length <= MAX_KEY_IDENTIFIER;
    const encoded = isUsual ? toHex(Uint8Array.of(TAG.octetString, octets.length, ...octets)) : '';
    return candidates.get(`${encoded} ${issuerDnNormalized}`);
  }

  return {
    /** Returns the CA certificate and those above it, as far as they are linked. */
    pathOf: (caCertificateUuid: string): Promise<readonly PathLink[]> => paths.get(caCertificateUuid),

    named: findByName,

    /**
     * Returns the certificates with this name that may sign CRLs for CAs and are not CA certificates themselves (RFC
     * 5280 §6.3.3 f). Their signatures and paths are not checked.
     */
    async crlIssuers(name: Name): Promise<readonly Certificate[]> {
      const common = commonName(name);
      return common === undefined ? [] : crlIssuers.get(`${common}\0${normalizeName(name)}`);
    },

    /** Returns the CA certificate whose key created the signature, or undefined. A root is its own issuer. */
    async of(certificate: Certificate, issuerDnNormalized: string): Promise<Issuer | undefined> {
      const all = await findByName(issuerDnNormalized, issuerKeyOf(certificate));
      return all.find((issuer) =>
        isSignedBy(certificate, { issuerSpki: issuer.certificate.spki, verify: nodeCrypto.verify }),
      );
    },

    /** Must be called when a CA certificate was added, removed or revoked, or its trust changed. */
    forget: (): void => {
      candidates.invalidate();
      crlIssuers.invalidate();
      paths.invalidate();
    },
  };
}
