// RA profiles as seen by other areas. No I/O.
import { AppError } from '../../kernel/errors.ts';
import type { RaProfileRow } from './tables.ts';

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
