// The tables for one type of CRL. Complete CRLs and partition CRLs follow the same rules in separate tables, keyed by
// their owner: an authority or a partition.
export interface CrlTables {
  /** Table with one row per sequence that contains the last CRL number. */
  readonly sequence: 'authority' | 'crl_shard';
  /** CRLs. */
  readonly lists: 'crl' | 'shard_crl';
  /** Owner column in the CRL table and in the revocation table. */
  readonly owner: 'authority_uuid' | 'shard_uuid';
  /**
   * Column in the revocation table that contains the number of the first full CRL with the entry in its current form.
   */
  readonly mark: 'full_crl_number' | 'shard_crl_number';
}

export const COMPLETE_LISTS: CrlTables = {
  sequence: 'authority',
  lists: 'crl',
  owner: 'authority_uuid',
  mark: 'full_crl_number',
};

export const SHARD_LISTS: CrlTables = {
  sequence: 'crl_shard',
  lists: 'shard_crl',
  owner: 'shard_uuid',
  mark: 'shard_crl_number',
};
