// Groups an authority's certificates by CA, and indexes the CAs by the digests with which OCSP requests identify them.
// Pure.
import { issuerHashes, issuerHashKey, type Certificate, type DigestName } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';

/** Digests that clients use in CertIDs: usually SHA-1, optionally SHA-256 or longer (RFC 6960 §4.3). */
const CERT_ID_DIGESTS: readonly DigestName[] = ['sha1', 'sha256', 'sha384', 'sha512'];

/** CA, identified by its name and key. It has multiple certificates if it was renewed with the same key. */
export interface Issuer {
  /** Identifies the CA in the database tables; contains digests of its name and key. */
  readonly key: string;
  /** The CA's certificates in the inventory. */
  readonly certificateUuids: readonly string[];
  /** Lowercase hex SHA-256 of the key, which is the same in all of the CA's certificates. */
  readonly publicKeyFingerprint: string;
  /** The CA's newest certificate. */
  readonly certificate: Certificate;
  /** Whether the CA currently signs for the authority. */
  readonly isCurrent: boolean;
}

/** CA certificate in the inventory. */
export interface CaCertificateFacts {
  readonly uuid: string;
  readonly certificate: Certificate;
  /** See `caKeyOf`. */
  readonly key: string;
}

/** Returns the CAs: current CAs before former ones, each newest first. */
export function groupByCa(certificates: readonly CaCertificateFacts[], currentUuids: ReadonlySet<string>): Issuer[] {
  const groups = Map.groupBy(certificates, ({ key }) => key);
  const issuers = [...groups].flatMap(([key, members]) => {
    const [newest] = members.toSorted((a, b) => b.certificate.notBeforeMs - a.certificate.notBeforeMs);
    if (!newest) return [];
    return {
      key,
      certificateUuids: [...new Set(members.map(({ uuid }) => uuid))],
      publicKeyFingerprint: nodeCrypto.sha256(newest.certificate.spki).toHex(),
      certificate: newest.certificate,
      isCurrent: members.some(({ uuid }) => currentUuids.has(uuid)),
    };
  });
  return issuers.toSorted(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.certificate.notBeforeMs - a.certificate.notBeforeMs,
  );
}

/** Indexes CAs by the `issuerHashKey` of CertIDs that refer to them. */
export function indexByHash(issuers: readonly Issuer[]): ReadonlyMap<string, Issuer> {
  return new Map(
    issuers.flatMap((issuer) =>
      CERT_ID_DIGESTS.map((digestName) => [hashKeyOf(issuer.certificate, digestName), issuer] as const),
    ),
  );
}

const hashKeyOf = (certificate: Certificate, digestName: DigestName): string =>
  issuerHashKey(issuerHashes(certificate, { digestName, digest: nodeCrypto.digest }));

/** Returns an identifier derived from the CA's name and key. It does not depend on a specific certificate. */
export const caKeyOf = (certificate: Certificate): string => hashKeyOf(certificate, 'sha256');
