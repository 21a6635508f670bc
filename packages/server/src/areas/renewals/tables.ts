// Rows of the tables that this area owns (migration 0075-renewals), and columns of others that it reads.
import type { AutomaticRenewalState } from '@signetry/contract';

export type RenewalTables = {
  renewal_setting: {
    ra_profile_uuid: string;
    automatic: boolean;
    days_before: number | null;
  };
  renewal: {
    location_uuid: string;
    certificate_uuid: string;
    ra_profile_uuid: string;
    state: AutomaticRenewalState;
    /** When it is tried next, or was tried last. */
    next_at: Date;
    leased_until: Date | null;
    attempts: number;
    problem: string | null;
    successor_uuid: string | null;
  };
};

export type SettingRow = RenewalTables['renewal_setting'];
export type RenewalRow = RenewalTables['renewal'];

/** Of tables that other areas own. */
export type ReadTables = RenewalTables & {
  certificate: {
    uuid: string;
    common_name: string;
    state: string;
    archived: boolean;
    not_before: Date | null;
    not_after: Date | null;
    ra_profile_uuid: string | null;
  };
  location: { uuid: string; name: string; entity_uuid: string; enabled: boolean; key_management: boolean };
  location_certificate: { location_uuid: string; certificate_uuid: string; state: string };
};
