// How orders and challenges under way are taken over; the statements of their stores number these values alike.

export interface TakeOver {
  /** The node that takes over. */
  readonly by: string;
  readonly now: Date;
  /** How long it then has them. */
  readonly until: Date;
  /**
   * Given in the first rounds of a run: own leases that end before were made by an earlier one, and are free at once.
   */
  readonly ownBefore: Date | null;
  readonly limit: number;
}

/** $1 now, $2 until, $3 limit, $4 by, $5 ownBefore. */
export const takeOverValues = (lease: TakeOver): readonly unknown[] => [
  lease.now,
  lease.until,
  lease.limit,
  lease.by,
  lease.ownBefore,
];
