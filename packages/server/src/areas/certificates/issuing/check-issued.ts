// Checks what an authority answered against what was asked. A connector is not trusted: a wrong key, another subject,
// an expired, a not yet valid or an unrelated certificate is kept as received and refused.
import type { RequestAttributeDto } from '@signetry/contract';
import type { ReadCertificate } from '../core/read-certificate.ts';
import type { Issuer } from '../core/issuers.ts';
import type { IssuingWork } from '../operations/work.ts';

export interface Expectation {
  readonly request: IssuingWork['request'];
  readonly now: Date;
  /**
   * Instants that the request names, in whatever attribute: a certificate may begin later than now only at one of them.
   */
  readonly askedInstants: readonly Date[];
  /** CA certificates that carry the issuer's name; empty when the inventory knows none. */
  readonly namedIssuers: readonly Issuer[];
  readonly issuer: Issuer | undefined;
}

/** Clocks of authorities may run a little ahead of ours, or behind. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The first thing that is wrong with an issued certificate, or undefined when it is what was asked for. */
export function problemOfIssued({ facts }: ReadCertificate, expected: Expectation): string | undefined {
  const { public_key_fingerprint: requestedKey, common_name: requestedName } = expected.request;
  if (facts.public_key_fingerprint !== requestedKey) return 'it certifies a public key other than the one requested';
  if (requestedName !== '' && facts.common_name !== '' && facts.common_name !== requestedName) {
    return `its common name is ${facts.common_name} where ${requestedName} was requested`;
  }
  if (facts.not_after.getTime() <= expected.now.getTime() - CLOCK_TOLERANCE_MS)
    return `it expired on ${facts.not_after.toISOString()}`;
  if (isLater(facts.not_before, expected.now) && !expected.askedInstants.some((at) => isNear(facts.not_before, at)))
    return `it is not valid before ${facts.not_before.toISOString()}`;
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
  return isLater(facts.not_before, now) ? 'inactive' : 'valid';
}

/** Dates and times among the attributes of a request; their meaning is up to the authority. */
export const instantsIn = (attributes: readonly RequestAttributeDto[]): Date[] =>
  attributes
    .filter(({ contentType }) => contentType === 'datetime' || contentType === 'date')
    // such content has data
    .flatMap(({ content = [] }) => content.map((item) => new Date(String((item as { data: unknown }).data))))
    .filter((instant) => !Number.isNaN(instant.getTime()));

const isLater = (instant: Date, now: Date): boolean => instant.getTime() > now.getTime() + CLOCK_TOLERANCE_MS;

const isNear = (instant: Date, other: Date): boolean =>
  Math.abs(instant.getTime() - other.getTime()) <= CLOCK_TOLERANCE_MS;
