// OCSP CertID (RFC 6960 §4.1.1): identifies a certificate by its serial number and digests of its issuer's name and
// key.
import { elementBytes, openElement, readIntegerBytes, readOctetString, type DerElement } from '../der/reader.ts';
import { encodeDer, octetStringPart, primitive, sequence } from '../der/writer.ts';
import { digestAlgorithmPart, digestFromOid, readAlgorithm, type DigestName } from '../algorithms.ts';
import { equalBytes } from '../bytes.ts';
import { formatSerialNumber } from '../x509/certificate.ts';
import { parsePublicKey } from '../keys.ts';
import { TAG } from '../der/tags.ts';
import type { Digest } from '../crypto.ts';

export interface CertId {
  /** The encoded CertID; a response must repeat it byte for byte. */
  readonly der: Uint8Array;
  readonly digestOid: string;
  /** `undefined` for an unsupported digest; the response to such a request is "unknown". */
  readonly digestName: DigestName | undefined;
  readonly issuerNameHash: Uint8Array;
  readonly issuerKeyHash: Uint8Array;
  /** Two's complement bytes, for comparison with `Certificate.serialBytes`. */
  readonly serialBytes: Uint8Array;
  /** Lowercase hex without leading zeros. */
  readonly serialNumber: string;
}

/** Reads a CertID element. Throws `DerError`. */
export function readCertId(element: DerElement): CertId {
  const cursor = openElement(element, TAG.sequence);
  const digestOid = readAlgorithm(cursor.next()).oid;
  const issuerNameHash = readOctetString(cursor.next());
  const issuerKeyHash = readOctetString(cursor.next());
  const serialBytes = readIntegerBytes(cursor.next());
  cursor.finish();
  return {
    der: elementBytes(element),
    digestOid,
    digestName: digestFromOid(digestOid),
    issuerNameHash,
    issuerKeyHash,
    serialBytes,
    serialNumber: formatSerialNumber(serialBytes),
  };
}

/** Identifies an issuer by its encoded subject and its key. Implemented by `Certificate`. */
export interface CertIdIssuer {
  readonly subjectDer: Uint8Array;
  readonly spki: Uint8Array;
}

/**
 * An issuer's digests, computed with one algorithm. A responder computes them once per CA and compares them with
 * requests.
 */
export interface IssuerHashes {
  readonly digestName: DigestName;
  readonly issuerNameHash: Uint8Array;
  /** Computed over the contents of the key's BIT STRING. */
  readonly issuerKeyHash: Uint8Array;
}

/**
 * Computes an issuer's digests. By convention, requests use SHA-1; clients that follow RFC 6960 §4.3 or RFC 9654 also
 * use SHA-256.
 */
export function issuerHashes(issuer: CertIdIssuer, options: { digestName: DigestName; digest: Digest }): IssuerHashes {
  const { digestName, digest } = options;
  return {
    digestName,
    issuerNameHash: digest(digestName, issuer.subjectDer),
    issuerKeyHash: digest(digestName, parsePublicKey(issuer.spki).keyBytes),
  };
}

/** Returns whether a CertID identifies a certificate of the issuer with these digests. */
export function certIdMatchesIssuer(id: CertId, hashes: IssuerHashes): boolean {
  return (
    id.digestName === hashes.digestName &&
    equalBytes(id.issuerKeyHash, hashes.issuerKeyHash) &&
    equalBytes(id.issuerNameHash, hashes.issuerNameHash)
  );
}

/**
 * Returns the same text for all CertIDs with the same issuer and digest. Responders use it as the key to look up their
 * CAs.
 */
export function issuerHashKey(hashes: IssuerHashes | CertId): string {
  return `${hashes.digestName ?? ''}:${hashes.issuerKeyHash.toHex()}:${hashes.issuerNameHash.toHex()}`;
}

/** Returns an encoded CertID. `serialBytes` has the form of `Certificate.serialBytes`. */
export function buildCertId(hashes: IssuerHashes, serialBytes: Uint8Array): Uint8Array {
  return encodeDer(
    sequence([
      digestAlgorithmPart(hashes.digestName, true),
      octetStringPart(hashes.issuerNameHash),
      octetStringPart(hashes.issuerKeyHash),
      primitive(TAG.integer, serialBytes),
    ]),
  );
}
