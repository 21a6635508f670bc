// Checks the certificate presented for a tls-alpn-01 challenge (RFC 8737 §3). Pure.
import { createHash } from 'node:crypto';
import {
  equalBytes,
  findExtension,
  isSignedBy,
  OID,
  parseCertificate,
  parseDer,
  parseIpAddress,
  PkiError,
  readOctetString,
  type Certificate,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Identifier } from '../model/vocabulary.ts';

export interface ExpectedCertificate {
  readonly identifier: Identifier;
  readonly keyAuthorization: string;
}

/** Returns the problem, without quoting the certificate's content. */
export function checkChallengeCertificate(
  der: Uint8Array | undefined,
  expected: ExpectedCertificate,
): string | undefined {
  if (der === undefined) return 'the TLS server did not send a certificate';
  try {
    return check(parseCertificate(der), expected);
  } catch (error) {
    if (error instanceof PkiError) return 'the certificate of the TLS server cannot be parsed';
    throw error;
  }
}

function check(certificate: Certificate, { identifier, keyAuthorization }: ExpectedCertificate): string | undefined {
  const { verify } = nodeCrypto;
  if (!certificate.isSelfIssued || !isSignedBy(certificate, { issuerSpki: certificate.spki, verify }))
    return 'the certificate is not self-signed';
  if (!namesOnly(certificate, identifier))
    return 'the identifier must be the only subject alternative name of the certificate';
  const extension = findExtension(certificate.extensions, OID.acmeIdentifier);
  if (extension === undefined) return 'the certificate has no acmeIdentifier extension';
  if (!extension.critical) return 'the acmeIdentifier extension of the certificate must be critical';
  const digest = createHash('sha256').update(keyAuthorization).digest();
  if (!equalBytes(readOctetString(parseDer(extension.value)), digest))
    return 'the digest in the acmeIdentifier extension does not match the key authorization';
  return undefined;
}

/**
 * Returns whether the certificate contains exactly one name, that of the identifier; DNS names are compared
 * case-insensitively (RFC 4343).
 */
function namesOnly({ subjectAltNames: [name, ...others] }: Certificate, identifier: Identifier): boolean {
  if (name === undefined || others.length > 0) return false;
  if (identifier.type === 'dns') return name.kind === 'dNSName' && name.value.toLowerCase() === identifier.value;
  const octets = parseIpAddress(identifier.value);
  return name.kind === 'iPAddress' && octets !== undefined && equalBytes(name.octets, octets);
}
