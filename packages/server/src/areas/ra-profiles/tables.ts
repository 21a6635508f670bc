// Rows of this area's table (migrations 0004-connectors, 0035-approvals and 0112-internal-ra-profiles).

export type RaProfileTables = {
  ra_profile: {
    uuid: string;
    name: string;
    description: string | null;
    authority_uuid: string | null;
    enabled: boolean;
    /** Only the platform itself issues certificates under it. */
    internal: boolean;
    ca_certificate_uuid: string | null;
    approval_profile_uuid: string | null;
    /** If null, the platform settings apply. */
    validation_enabled: boolean | null;
    validation_frequency_days: number | null;
    validation_expiring_threshold_days: number | null;
    created_at: Date;
    updated_at: Date;
  };
};

export type RaProfileRow = RaProfileTables['ra_profile'];
