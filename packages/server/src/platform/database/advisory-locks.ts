// The platform's advisory locks. Each has its own number, since two locks with the same number would block each other.
// The numbers are the same on all nodes and never change, because nodes of two versions share a database during an
// upgrade. All locks belong to a transaction, because a pooler may run the next transaction in a different session.

export const ADVISORY_LOCKS = {
  /** Held while the schema is migrated. */
  migrations: 7_240_611,
  /** Held while the statistics counters are being written. */
  counters: 7_240_612,
  /** Held by the node that is building the text index. */
  textIndex: 7_240_613,
  /** Held while deltas are moved into the blocks of the certificate list. */
  certificateBlocks: 7_240_647,
  /** Held by the node that validates certificates whose status is due to change. */
  dueValidations: 7_240_646,
  /** Held while connectors awaiting approval are counted. */
  connectorRegistrations: 7_240_628,
} as const;
