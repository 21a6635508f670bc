// Takeover of orders and challenges in progress. Both stores number these statement parameters identically.

export interface LeaseTakeover {
  /** The node that takes over. */
  readonly by: string;
  readonly now: Date;
  /** End of its lease. */
  readonly until: Date;
  /**
   * Set in the first rounds after a start. If the node's own leases end before this time, they date from a previous run
   * and are available immediately.
   */
  readonly ownBefore: Date | null;
  readonly limit: number;
}

/** Returns the parameters $1 now, $2 until, $3 limit, $4 by, $5 ownBefore. */
export const leaseTakeoverValues = (lease: LeaseTakeover): readonly unknown[] => [
  lease.now,
  lease.until,
  lease.limit,
  lease.by,
  lease.ownBefore,
];
