// Which rows the lists of one kind live in. Lists of all certificates and lists of shards follow the same rules in
// tables of their own, each under the identifier of what it is for: an authority, or a shard of one.
export interface CrlTables {
  /** Has a row with the last number for each sequence of lists. */
  readonly sequence: 'authority' | 'crl_shard';
  /** The lists. */
  readonly lists: 'crl' | 'shard_crl';
  /** Names the sequence, in the table of lists and in that of revocations. */
  readonly owner: 'authority_uuid' | 'shard_uuid';
  /** In the table of revocations: the first full list that has the entry as it is. */
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
