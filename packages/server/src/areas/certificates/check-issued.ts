// What an authority answered, held against what was asked. A connector is not believed: a wrong key, another subject, an
// expired or foreign certificate is kept as received and refused.
import type { ReadCertificate } from './read-certificate.ts';
import type { Issuer } from './issuers.ts';

export interface Expectation {
  readonly publicKeyFingerprint: string;
  readonly commonName: string;
  readonly now: Date;
  /** CA certificates that carry the issuer's name; empty when the inventory knows none. */
  readonly namedIssuers: readonly Issuer[];
  readonly issuer: Issuer | undefined;
}

/** Clocks of authorities may run a little ahead of ours. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The first thing that is wrong with an issued certificate, or undefined when it is what was asked for. */
export function problemOfIssued({ facts }: ReadCertificate, expected: Expectation): string | undefined {
  if (facts.public_key_fingerprint !== expected.publicKeyFingerprint)
    return 'it certifies another public key than the one requested';
  if (expected.commonName !== '' && facts.common_name !== '' && facts.common_name !== expected.commonName) {
    return `its common name is ${facts.common_name} where ${expected.commonName} was requested`;
  }
  if (facts.not_after.getTime() <= expected.now.getTime() - CLOCK_TOLERANCE_MS)
    return `it expired on ${facts.not_after.toISOString()}`;
  if (facts.not_after.getTime() < facts.not_before.getTime()) return 'its validity ends before it begins';
  if (expected.namedIssuers.length > 0 && !expected.issuer)
    return 'its signature was not made by the certification authority that it names';
  return undefined;
}

/** Validation status at the moment of issuing, where the issuer's own verdict decides; otherwise a later check does. */
export function statusAtIssuance(
  { facts }: ReadCertificate,
  issuer: Issuer | undefined,
  now: Date,
): 'valid' | 'inactive' | 'not_checked' {
  if (!issuer || !(issuer.row.trusted_ca && issuer.row.validation_status === 'valid')) return 'not_checked';
  return facts.not_before.getTime() > now.getTime() + CLOCK_TOLERANCE_MS ? 'inactive' : 'valid';
}
