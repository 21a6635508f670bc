// RA profiles as other areas meet them. No I/O.
import type { RaProfileRow } from './tables.ts';

/** How certificates of a profile are validated; `enabled` is empty where the platform settings decide. */
export interface ValidationSettings {
  readonly enabled: boolean | null;
  /** In days. */
  readonly frequency: number | null;
  /** In days. */
  readonly expiringThreshold: number | null;
}

export interface RaProfileFacts {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Empty after the authority was removed by force. */
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
  authorityUuid: row.authority_uuid,
  caCertificateUuid: row.ca_certificate_uuid,
  validation: validationSettings(row),
});
