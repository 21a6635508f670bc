// Checks whether clients will accept an issued certificate as a responder certificate (RFC 6960 §4.2.2.2). The RA
// profile may have been edited manually, so the issued certificate is checked rather than the request. Pure.
import { equalBytes, equalNames, isSignedBy, OID, type Certificate, type VerifySignature } from '@signetry/pki';
import type { Issuer } from '../issuers.ts';

export interface ResponderExpectation {
  readonly publicKey: Uint8Array;
  /** CA that issued the certificates for which the responder responds. */
  readonly issuer: Issuer;
  readonly now: Date;
  readonly verify: VerifySignature;
}

/** Returns the first problem; undefined if there is none. */
export function problemOfResponder(certificate: Certificate, expected: ResponderExpectation): string | undefined {
  const { issuer, publicKey, verify, now } = expected;
  if (!equalBytes(certificate.spki, publicKey)) return 'it certifies a different key';
  const ca = issuer.certificate;
  if (!equalNames(certificate.issuer, ca.subject) || !isSignedBy(certificate, { issuerSpki: ca.spki, verify }))
    return "it was not issued directly by the authority's current CA";
  if (!(certificate.extKeyUsage ?? []).includes(OID.ocspSigning)) return 'it lacks the extended key usage OCSPSigning';
  if (!(certificate.keyUsage?.includes('digitalSignature') ?? true))
    return 'its key usage does not include digitalSignature';
  if (!certificate.extensions.some(({ oid }) => oid === OID.ocspNoCheck))
    return 'it lacks the ocsp-nocheck extension, so clients would request its own revocation status';
  if (certificate.notAfterMs <= now.getTime()) return 'it has expired';
  return undefined;
}
