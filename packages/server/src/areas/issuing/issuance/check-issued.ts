// Checks an authority's response against the request. Connectors are not trusted: a certificate that has the wrong key
// or subject, has expired, is not yet valid or is unrelated is stored as received and rejected.
import type { RequestAttributeDto } from '@signetry/contract';
import { isPkiError, OID, parseNameText, type NameCodes } from '@signetry/pki';
import { isTruncated, type Issuer, type ReadCertificate } from '../../certificates/index.ts';
import type { IssuingWork } from '../operations/work.ts';

export interface Expectation {
  readonly request: IssuingWork['request'];
  readonly now: Date;
  /**
   * Attributes of the request and of the RA profile. The certificate may contain values from any of them that differ
   * from the request, such as a different common name or a notBefore in the future.
   */
  readonly attributes: readonly RequestAttributeDto[];
  /** Names that the certificate must contain, with their types, as `hostNamesOf` returns them. */
  readonly requiredNames: readonly string[];
  /** CA certificates whose subject is the issuer's name; empty if the inventory has none. */
  readonly namedIssuers: readonly Issuer[];
  readonly issuer: Issuer | undefined;
  /** Codes for parsing names in attributes. */
  readonly codes?: NameCodes;
}

/** Maximum number of names listed in an error message. */
const MAX_LISTED = 5;
/** Tolerated clock skew between the authority and the platform. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Returns the first problem with an issued certificate, or undefined if it matches the request. */
export function problemOfIssued({ facts }: ReadCertificate, expected: Expectation): string | undefined {
  const { public_key_fingerprint: requestedKey, common_name: requestedName } = expected.request;
  if (facts.public_key_fingerprint !== requestedKey) return 'it certifies a public key other than the one requested';
  if (requestedName !== '' && facts.common_name !== requestedName && !isCommonNamePermitted(facts, expected))
    return `its common name is ${facts.common_name}, but ${requestedName} was requested`;
  const missing = missingNames(facts, expected.requiredNames);
  if (missing.length > 0) return `it does not contain the requested ${missing.slice(0, MAX_LISTED).join(', ')}`;
  if (facts.not_after.getTime() <= expected.now.getTime() - CLOCK_TOLERANCE_MS)
    return `it expired on ${facts.not_after.toISOString()}`;
  const isRequested = (instant: Date) => instantsIn(expected.attributes).some((at) => isNear(instant, at));
  if (isLater(facts.not_before, expected.now) && !isRequested(facts.not_before))
    return `it is not valid before ${facts.not_before.toISOString()}`;
  if (facts.not_after.getTime() < facts.not_before.getTime()) return 'its notAfter is before its notBefore';
  if (expected.namedIssuers.length > 0 && !isTruncated(expected.namedIssuers) && !expected.issuer)
    return 'it was not signed by the CA that it names as its issuer';
  return undefined;
}

/**
 * Returns the validation status at issuance if the issuer's status determines it. Otherwise, a later check determines
 * it.
 */
export function statusAtIssuance(
  { facts }: ReadCertificate,
  issuer: Issuer | undefined,
  now: Date,
): 'valid' | 'inactive' | 'not_checked' {
  if (!issuer || !(issuer.row.trusted_ca && issuer.row.validation_status === 'valid')) return 'not_checked';
  return isLater(facts.not_before, now) ? 'inactive' : 'valid';
}

/**
 * Returns whether the common name is permitted: profiles and request attributes can omit it, set it to a subject
 * alternative name, or set a different one.
 */
function isCommonNamePermitted(
  { common_name: name, subject_alternative_names: altNames }: ReadCertificate['facts'],
  { attributes, codes }: Pick<Expectation, 'attributes' | 'codes'>,
): boolean {
  const names = Object.values(altNames ?? {}).flat();
  if (name === '' || names.includes(name)) return true;
  return valuesOf(attributes, ['string', 'text']).some(
    (text) => text === name || commonNamesIn(text, codes).includes(name),
  );
}

const missingNames = (
  { subject_alternative_names: altNames }: ReadCertificate['facts'],
  required: readonly string[],
): readonly string[] => {
  if (required.length === 0) return [];
  const present = new Set(
    Object.entries(altNames ?? {}).flatMap(([kind, values]) => values.map((value) => `${kind} ${value.toLowerCase()}`)),
  );
  return required.filter((name) => !present.has(name));
};

/** Returns the common names in a distinguished name; other texts have none. */
function commonNamesIn(text: string, codes: NameCodes | undefined): readonly string[] {
  try {
    const attributes = parseNameText(text, codes).flat();
    return attributes.filter(({ type }) => type === OID.commonName).map(({ value }) => value);
  } catch (error) {
    if (isPkiError(error)) return [];
    throw error;
  }
}

/** Returns the dates and times in attributes; their meaning depends on the authority. */
const instantsIn = (attributes: readonly RequestAttributeDto[]): Date[] =>
  valuesOf(attributes, ['datetime', 'date'])
    .map((text) => new Date(text))
    .filter((instant) => !Number.isNaN(instant.getTime()));

const valuesOf = (
  attributes: readonly RequestAttributeDto[],
  types: readonly RequestAttributeDto['contentType'][],
): readonly string[] =>
  attributes
    .filter(({ contentType }) => types.includes(contentType))
    // Content of these types has data.
    .flatMap(({ content = [] }) => content.map((item) => String((item as { data: unknown }).data)));

const isLater = (instant: Date, now: Date): boolean => instant.getTime() > now.getTime() + CLOCK_TOLERANCE_MS;

const isNear = (instant: Date, other: Date): boolean =>
  Math.abs(instant.getTime() - other.getTime()) <= CLOCK_TOLERANCE_MS;
