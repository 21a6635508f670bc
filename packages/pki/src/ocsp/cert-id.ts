// CertID of OCSP (RFC 6960 §4.1.1): which certificate is asked about, by digests of its issuer's name and key.
import { elementBytes, openElement, readIntegerBytes, readOctetString, type DerElement } from '../der/reader.ts';
import { encodeDer, octetStringPart, primitive, sequence } from '../der/writer.ts';
import { digestAlgorithmPart, digestOfOid, readAlgorithm, type DigestName } from '../algorithms.ts';
import { equalBytes } from '../bytes.ts';
import { formatSerialNumber } from '../x509/certificate.ts';
import { parsePublicKey } from '../keys.ts';
import { TAG } from '../der/tags.ts';
import type { Digest } from '../crypto.ts';

export interface CertId {
  /** The encoded CertID: a response repeats it octet by octet. */
  readonly der: Uint8Array;
  readonly digestOid: string;
  /** `undefined` for a digest that this package does not know: such a request is answered with "unknown". */
  readonly digestName: DigestName | undefined;
  readonly issuerNameHash: Uint8Array;
  readonly issuerKeyHash: Uint8Array;
  /** Two's complement octets, to compare with `Certificate.serialBytes`. */
  readonly serialBytes: Uint8Array;
  /** Lower-case hex without leading zeros. */
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
    digestName: digestOfOid(digestOid),
    issuerNameHash,
    issuerKeyHash,
    serialBytes,
    serialNumber: formatSerialNumber(serialBytes),
  };
}

/** What identifies an issuer: its encoded subject and its key. `Certificate` has both. */
export interface CertIdIssuer {
  readonly subjectDer: Uint8Array;
  readonly spki: Uint8Array;
}

/** Digests of an issuer under one algorithm. A responder computes them once per authority and compares. */
export interface IssuerHashes {
  readonly digestName: DigestName;
  readonly issuerNameHash: Uint8Array;
  /** Over the contents of the key's BIT STRING. */
  readonly issuerKeyHash: Uint8Array;
}

/** Computes the digests of an issuer. Requests use SHA-1 by custom; RFC 6960 §4.3 and RFC 9654 clients also SHA-256. */
export function issuerHashes(issuer: CertIdIssuer, options: { digestName: DigestName; digest: Digest }): IssuerHashes {
  const { digestName, digest } = options;
  return {
    digestName,
    issuerNameHash: digest(digestName, issuer.subjectDer),
    issuerKeyHash: digest(digestName, parsePublicKey(issuer.spki).keyBytes),
  };
}

/** Whether a CertID names a certificate of the issuer with these digests. */
export function certIdMatchesIssuer(id: CertId, hashes: IssuerHashes): boolean {
  return (
    id.digestName === hashes.digestName &&
    equalBytes(id.issuerKeyHash, hashes.issuerKeyHash) &&
    equalBytes(id.issuerNameHash, hashes.issuerNameHash)
  );
}

/** Text that is equal for CertIDs of the same issuer and digest: the key of a responder's table of authorities. */
export function issuerHashKey(hashes: IssuerHashes | CertId): string {
  return `${hashes.digestName ?? ''}:${hashes.issuerKeyHash.toHex()}:${hashes.issuerNameHash.toHex()}`;
}

/** An encoded CertID. `serialBytes` as in `Certificate.serialBytes`. */
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
