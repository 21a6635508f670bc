// RA profiles as seen by other areas. No I/O.
import { AppError } from '../../kernel/errors.ts';
import type { RaProfileRow } from './tables.ts';
import type { RequestAttributeDto } from '@signetry/contract';
import { CURVES, DEFAULT_KEY_POLICY, type KeyPolicy } from '@signetry/pki';

/** Validation settings for certificates issued under a profile. `enabled` is null if the platform settings apply. */
export interface ValidationSettings {
  readonly enabled: boolean | null;
  /** Interval in days. */
  readonly frequency: number | null;
  /** Threshold in days. */
  readonly expiringThreshold: number | null;
}

export interface RaProfileFacts {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Only the platform itself issues certificates under it. */
  readonly internal: boolean;
  /** Null if the authority was removed by force. */
  readonly authorityUuid: string | null;
  readonly caCertificateUuid: string | null;
  readonly validation: ValidationSettings;
}

export const validationSettings = (row: RaProfileRow): ValidationSettings => ({
  enabled: row.validation_enabled,
  frequency: row.validation_frequency_days,
  expiringThreshold: row.validation_expiring_threshold_days,
});

export const factsOf = (row: RaProfileRow): RaProfileFacts => ({
  uuid: row.uuid,
  name: row.name,
  enabled: row.enabled,
  internal: row.internal,
  authorityUuid: row.authority_uuid,
  caCertificateUuid: row.ca_certificate_uuid,
  validation: validationSettings(row),
});

/**
 * Rejects an internal profile (422). A caller who obtains a certificate under an internal profile could sign OCSP
 * responses for its authority (RFC 6960 §4.2.2.2).
 */
export function assertOffered({ name, internal }: Pick<RaProfileFacts, 'name' | 'internal'>): void {
  if (!internal) return;
  throw new AppError('invalid_state', {
    what: 'RA profile',
    name,
    state: 'internal (reserved for the OCSP responder of the platform)',
    needed: 'an RA profile that is not internal',
  });
}

/**
 * Keys accepted under an RA profile, as far as its attributes specify them. The connector defines the attributes; they
 * are recognized by the names that the software authority uses. Other connectors do not specify them and decide on each
 * request.
 *
 * Returns undefined if all keys that the platform accepts are also accepted under the profile.
 */
export function acceptedKeysOf(attributes: readonly RequestAttributeDto[]): Required<KeyPolicy> | undefined {
  const all = DEFAULT_KEY_POLICY;
  const named = valuesOf(attributes, 'data_keyAlgorithms');
  const families = named.length === 0 ? all.families : all.families.filter((family) => named.includes(family));
  const curveNames = valuesOf(attributes, 'data_curves');
  const curves = all.curves.filter((oid) => curveNames.length === 0 || curveNames.includes(CURVES.get(oid)?.name));
  const [bits] = valuesOf(attributes, 'data_minRsaBits');
  const minRsaBits = typeof bits === 'number' ? Math.max(bits, all.minRsaBits) : all.minRsaBits;
  const asksForSize = minRsaBits > all.minRsaBits && families.includes('RSA');
  const asksForCurve = curves.length < all.curves.length && families.includes('ECDSA');
  if (families.length === all.families.length && !asksForSize && !asksForCurve) return undefined;
  return { ...all, families, curves, minRsaBits };
}

/** Returns whether DNS names can contain underscores, which host names do not permit (RFC 1123 §2.1). */
export const allowsUnderscores = (attributes: readonly RequestAttributeDto[]): boolean =>
  valuesOf(attributes, 'data_allowUnderscores')[0] === true;

const valuesOf = (attributes: readonly RequestAttributeDto[], name: string): readonly unknown[] =>
  (attributes.find((each) => each.name === name)?.content ?? []).map((item) =>
    'data' in item ? item.data : undefined,
  );
