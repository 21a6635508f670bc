// Checks what an authority answered against what was asked. A connector is not trusted: a wrong key, another subject,
// an expired, a not yet valid or an unrelated certificate is kept as received and refused.
import type { RequestAttributeDto } from '@signetry/contract';
import { isPkiError, OID, parseNameText, type NameCodes } from '@signetry/pki';
import { isCut, type Issuer, type ReadCertificate } from '../../certificates/index.ts';
import type { IssuingWork } from '../operations/work.ts';

export interface Expectation {
  readonly request: IssuingWork['request'];
  readonly now: Date;
  /**
   * Of the request and of the RA profile. The certificate may have what they say, in whatever attribute, although the
   * request says something else: another common name, an instant later than now at which it begins.
   */
  readonly attributes: readonly RequestAttributeDto[];
  /** CA certificates with the issuer's name; empty when the inventory knows none. */
  readonly namedIssuers: readonly Issuer[];
  readonly issuer: Issuer | undefined;
  /** By which names among the attributes are read. */
  readonly codes?: NameCodes;
}

/** Clocks of authorities may run a little ahead of ours, or behind. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The first thing that is wrong with an issued certificate, or undefined when it is what was asked for. */
export function problemOfIssued({ facts }: ReadCertificate, expected: Expectation): string | undefined {
  const { public_key_fingerprint: requestedKey, common_name: requestedName } = expected.request;
  if (facts.public_key_fingerprint !== requestedKey) return 'it certifies a public key other than the one requested';
  if (requestedName !== '' && facts.common_name !== requestedName && !isExplained(facts, expected))
    return `its common name is ${facts.common_name} where ${requestedName} was requested`;
  if (facts.not_after.getTime() <= expected.now.getTime() - CLOCK_TOLERANCE_MS)
    return `it expired on ${facts.not_after.toISOString()}`;
  const isAsked = (instant: Date) => instantsIn(expected.attributes).some((at) => isNear(instant, at));
  if (isLater(facts.not_before, expected.now) && !isAsked(facts.not_before))
    return `it is not valid before ${facts.not_before.toISOString()}`;
  if (facts.not_after.getTime() < facts.not_before.getTime()) return 'its validity ends before it begins';
  if (expected.namedIssuers.length > 0 && !isCut(expected.namedIssuers) && !expected.issuer)
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

/**
 * Profiles may leave the common name out, repeat an alternative name as it, or set another one, and so may the
 * attributes of a request.
 */
function isExplained(
  { common_name: name, subject_alternative_names: altNames }: ReadCertificate['facts'],
  { attributes, codes }: Pick<Expectation, 'attributes' | 'codes'>,
): boolean {
  const names = Object.values(altNames ?? {}).flat();
  if (name === '' || names.includes(name)) return true;
  return valuesOf(attributes, ['string', 'text']).some(
    (text) => text === name || commonNamesIn(text, codes).includes(name),
  );
}

/** Of a text that is a distinguished name; other texts have none. */
function commonNamesIn(text: string, codes: NameCodes | undefined): readonly string[] {
  try {
    const attributes = parseNameText(text, codes).flat();
    return attributes.filter(({ type }) => type === OID.commonName).map(({ value }) => value);
  } catch (error) {
    if (isPkiError(error)) return [];
    throw error;
  }
}

/** Dates and times among attributes; their meaning is up to the authority. */
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
    // such content has data
    .flatMap(({ content = [] }) => content.map((item) => String((item as { data: unknown }).data)));

const isLater = (instant: Date, now: Date): boolean => instant.getTime() > now.getTime() + CLOCK_TOLERANCE_MS;

const isNear = (instant: Date, other: Date): boolean =>
  Math.abs(instant.getTime() - other.getTime()) <= CLOCK_TOLERANCE_MS;
