// The advisory locks of the platform, each with a number of its own: two with the same number would block each other.
// They are the same on every node, and stay the same, because nodes of two versions share a database during an upgrade.
// All of them belong to a transaction: a pooler may give the next transaction another session.

export const ADVISORY_LOCKS = {
  /** Whoever brings the schema up to date. */
  migrations: 7_240_611,
  /** Whoever writes the counters of the statistics. */
  counters: 7_240_612,
  /** The node that makes the index of texts. */
  textIndex: 7_240_613,
  /** Whoever moves deltas into the blocks of the list of certificates. */
  certificateBlocks: 7_240_647,
  /** The node that validates certificates whose status time changes. */
  dueValidations: 7_240_646,
  /** Whoever counts the connectors that wait for approval. */
  connectorRegistrations: 7_240_628,
} as const;
