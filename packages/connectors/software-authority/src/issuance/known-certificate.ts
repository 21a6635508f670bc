// Checks whether a certificate was issued by this authority, and looks up its journal entry.
import { ConnectorError } from '@signetry/connector-sdk';
import { equalBytes, isSignedBy, readCertificate, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import { readOrReject } from '../problems.ts';
import type { IssuanceJournal } from './issuance-journal.ts';

export interface KnownCertificate {
  readonly certificate: Certificate;
  /** Unsigned big-endian, as in the journal and the revocations. */
  readonly serial: Uint8Array;
  readonly namesOverridden: boolean;
  readonly expiresAt: Date;
}

/** Maximum length of a Base64-encoded certificate. */
const MAX_CERTIFICATE = 256 * 1024;

/** Throws 404 for certificates that this authority did not issue. */
export async function findKnownCertificate(
  journal: IssuanceJournal,
  authority: SigningAuthority,
  text: string,
): Promise<KnownCertificate> {
  const certificate = readOrReject('Cannot read the certificate', () =>
    readCertificate(text.slice(0, MAX_CERTIFICATE)),
  );
  const serial = stripLeadingZero(certificate.serialBytes);
  const entry = await journal.findBySerial(authority.uuid, serial);
  const isOwn =
    entry !== undefined && equalBytes(nodeCrypto.sha256(certificate.tbs), entry.tbsSha256)
      ? isSigned(certificate, authority)
      : predatesImport(certificate, authority);
  if (!isOwn) {
    throw new ConnectorError(404, `Certificate ${certificate.serialNumber} was not issued by ${authority.name}.`);
  }
  return {
    certificate,
    serial,
    namesOverridden: entry?.namesOverridden ?? false,
    expiresAt: new Date(certificate.notAfterMs),
  };
}

const isSigned = (certificate: Certificate, authority: SigningAuthority): boolean =>
  isSignedBy(certificate, { issuerSpki: authority.certificate.spki, verify: nodeCrypto.verify });

/** An imported key signed certificates before this journal existed; those are recognized by their signatures. */
const predatesImport = (certificate: Certificate, authority: SigningAuthority): boolean =>
  authority.source === 'import' &&
  certificate.notBeforeMs < authority.createdAt.getTime() &&
  equalBytes(certificate.issuerDer, authority.certificate.subjectDer) &&
  isSigned(certificate, authority);

function stripLeadingZero(octets: Uint8Array): Uint8Array {
  return octets.length > 1 && octets[0] === 0 ? octets.subarray(1) : octets;
}
