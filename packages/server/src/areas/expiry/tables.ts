// Row types for this area's tables (migration 0084-expiry).
export type ExpiryTables = {
  expiry_threshold_of_ra_profile: { ra_profile_uuid: string; days: number[] };
  expiry_threshold_of_group: { group_uuid: string; days: number[] };
  expiry_notice: { certificate_uuid: string; days: number; raised_at: Date };
};
