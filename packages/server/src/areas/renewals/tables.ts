// Rows of this area's tables (migrations 0075-renewals and 0085-renewals-beyond-locations), and columns that it reads
// from other tables.
import type { AutomaticRenewalState } from '@signetry/contract';

export type RenewalTables = {
  renewal_setting: {
    ra_profile_uuid: string;
    automatic: boolean;
    days_before: number | null;
    token_keys: boolean;
    paused: boolean;
  };
  renewal: {
    uuid: string;
    /** Null if the key is in a token. */
    location_uuid: string | null;
    certificate_uuid: string;
    ra_profile_uuid: string;
    state: AutomaticRenewalState;
    /** Time of the next attempt, or of the last attempt if there will be no more. */
    next_at: Date;
    leased_until: Date | null;
    attempts: number;
    problem: string | null;
    successor_uuid: string | null;
    /** The successor has been requested but may not have been issued yet. */
    awaits_issue: boolean;
  };
  renewal_limit: { authority_uuid: string; per_hour: number };
  renewal_attempt: {
    uuid: string;
    renewal_uuid: string;
    certificate_uuid: string;
    authority_uuid: string | null;
    started_at: Date;
    ended_at: Date | null;
    problem: string | null;
    successor_uuid: string | null;
  };
};

export type SettingRow = RenewalTables['renewal_setting'];
export type RenewalRow = RenewalTables['renewal'];
export type AttemptRow = RenewalTables['renewal_attempt'];

/** Tables owned by other areas. */
export type ReadTables = RenewalTables & {
  certificate: {
    uuid: string;
    common_name: string;
    state: string;
    archived: boolean;
    protocol: string | null;
    public_key_fingerprint: string;
    not_before: Date | null;
    not_after: Date | null;
    ra_profile_uuid: string | null;
  };
  location: { uuid: string; name: string; entity_uuid: string; enabled: boolean; key_management: boolean };
  ra_profile: { uuid: string; name: string; authority_uuid: string | null };
  location_certificate: { location_uuid: string; certificate_uuid: string; state: string };
};
