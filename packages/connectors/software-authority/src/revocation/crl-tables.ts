// The tables of the lists of one kind. Lists of all certificates and lists of shards follow the same rules in separate
// tables, each under the identifier of its owner: an authority or a shard.
export interface CrlTables {
  /** Has a row with the last number for each sequence of lists. */
  readonly sequence: 'authority' | 'crl_shard';
  /** The lists. */
  readonly lists: 'crl' | 'shard_crl';
  /** The owner column, in the table of lists and in that of revocations. */
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
