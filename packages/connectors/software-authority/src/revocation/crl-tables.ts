// Tables of one type of CRL. Complete CRLs and CRLs of partitions follow the same rules in separate tables, keyed by
// their owner: an authority or a partition.
export interface CrlTables {
  /** Has one row with the last CRL number per sequence. */
  readonly sequence: 'authority' | 'crl_shard';
  /** CRLs. */
  readonly lists: 'crl' | 'shard_crl';
  /** Owner column in the table of CRLs and in the table of revocations. */
  readonly owner: 'authority_uuid' | 'shard_uuid';
  /** Column of the revocation table: the first full CRL that contains the entry in its current form. */
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
