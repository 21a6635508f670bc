// The CAs of an authority, grouped from their certificates, and the digests by which OCSP requests name them. Pure.
import { issuerHashes, issuerHashKey, type Certificate, type DigestName } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';

/** Digests that clients build CertIDs with: SHA-1 by custom, SHA-256 and longer by choice (RFC 6960 §4.3). */
const CERT_ID_DIGESTS: readonly DigestName[] = ['sha1', 'sha256', 'sha384', 'sha512'];

/** One CA by name and key. Several certificates make one CA when it was renewed with the same key. */
export interface Issuer {
  /** Names the CA in our tables: digests of its name and key. */
  readonly key: string;
  /** Its certificates in the inventory. */
  readonly certificateUuids: readonly string[];
  /** Lower-case hex SHA-256 of its key, all its certificates share it. */
  readonly publicKeyFingerprint: string;
  /** The newest of its certificates. */
  readonly certificate: Certificate;
  /** Does it sign for the authority now? */
  readonly isCurrent: boolean;
}

/** A CA certificate of the inventory. */
export interface CaCertificateFacts {
  readonly uuid: string;
  readonly certificate: Certificate;
  /** See `caKeyOf`. */
  readonly key: string;
}

/** Current CAs first, then the newest. */
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

/** CAs by `issuerHashKey` of the CertIDs that name them. */
export function indexByHash(issuers: readonly Issuer[]): ReadonlyMap<string, Issuer> {
  return new Map(
    issuers.flatMap((issuer) =>
      CERT_ID_DIGESTS.map((digestName) => [hashKeyOf(issuer.certificate, digestName), issuer] as const),
    ),
  );
}

const hashKeyOf = (certificate: Certificate, digestName: DigestName): string =>
  issuerHashKey(issuerHashes(certificate, { digestName, digest: nodeCrypto.digest }));

/** Names a CA by its name and key, whatever certificate it has. */
export const caKeyOf = (certificate: Certificate): string => hashKeyOf(certificate, 'sha256');
