// Rows of the tables that this area owns (migrations 0075-renewals and 0085-renewals-beyond-locations), and columns of
// others that it reads.
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
    /** Null where the key is in a token. */
    location_uuid: string | null;
    certificate_uuid: string;
    ra_profile_uuid: string;
    state: AutomaticRenewalState;
    /** When it is tried next, or was tried last. */
    next_at: Date;
    leased_until: Date | null;
    attempts: number;
    problem: string | null;
    successor_uuid: string | null;
    /** The successor was asked for, and may not be issued yet. */
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

/** Of tables that other areas own. */
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
