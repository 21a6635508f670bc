// Is an issued certificate one that clients accept from a responder (RFC 6960 §4.2.2.2)? The RA profile may have
// been changed by hand, so what was issued is looked at, not what was asked for. Pure.
import { equalBytes, equalNames, isSignedBy, OID, type Certificate, type VerifySignature } from '@signetry/pki';
import type { Issuer } from '../issuers.ts';

export interface ResponderExpectation {
  readonly publicKey: Uint8Array;
  /** The CA about whose certificates it is to answer. */
  readonly issuer: Issuer;
  readonly now: Date;
  readonly verify: VerifySignature;
}

/** The first thing that is wrong, or undefined. */
export function problemOfResponder(certificate: Certificate, expected: ResponderExpectation): string | undefined {
  const { issuer, publicKey, verify, now } = expected;
  if (!equalBytes(certificate.spki, publicKey)) return 'it certifies another key';
  const ca = issuer.certificate;
  if (!equalNames(certificate.issuer, ca.subject) || !isSignedBy(certificate, { issuerSpki: ca.spki, verify }))
    return 'it was not issued directly by the CA that signs for the authority now';
  if (!(certificate.extKeyUsage ?? []).includes(OID.ocspSigning)) return 'it has no extended key usage OCSP signing';
  if (!(certificate.keyUsage?.includes('digitalSignature') ?? true)) return 'its key usage does not allow signatures';
  if (!certificate.extensions.some(({ oid }) => oid === OID.ocspNoCheck))
    return 'it has no extension ocsp-nocheck, so clients would ask for its own status';
  if (certificate.notAfterMs <= now.getTime()) return 'it has expired';
  return undefined;
}
