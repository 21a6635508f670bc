// Rules of the statistics: what the buckets of ends are, and series of days. Pure, time is an argument.

const DAY_MS = 86_400_000;

/** Days until the end, each bucket without the ones before it. */
const BUCKET_DAYS = [10, 20, 30, 60, 90] as const;

/** Names of the buckets in their order; what is not issued yet has no end. */
export const EXPIRY_BUCKETS: readonly string[] = ['Expired', ...BUCKET_DAYS.map(String), 'More'];
export const NOT_ISSUED = 'Not Issued';

/**
 * Bounds between the buckets. A certificate is valid through its last millisecond (RFC 5280 §4.1.2.5), and ten
 * days from now are within ten days, as a filter for the next ten days has it.
 */
export const expiryBounds = (now: Date): Date[] => [
  now,
  ...BUCKET_DAYS.map((days) => new Date(now.getTime() + days * DAY_MS + 1)),
];

export interface Series {
  /** Midnight (UTC) that the first step begins with. */
  readonly from: Date;
  readonly steps: number;
  readonly daysPerStep: number;
}

/** The last days, today included. */
export const lastDays = (now: Date, days: number): Series => ({
  from: new Date(midnight(now).getTime() - (days - 1) * DAY_MS),
  steps: days,
  daysPerStep: 1,
});

/** The coming days in steps, from today on; the last step may reach beyond. */
export const comingDays = (now: Date, days: number, daysPerStep: number): Series => ({
  from: midnight(now),
  steps: Math.ceil(days / daysPerStep),
  daysPerStep,
});

const midnight = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);

/** All steps of a series in their order, also those without a count, by the day that each begins with. */
export function fillSeries(
  { from, steps, daysPerStep }: Series,
  counts: readonly { readonly step: number; readonly count: number }[],
): { readonly from: string; readonly certificates: number }[] {
  const byStep = new Map(counts.map(({ step, count }) => [step, count]));
  return Array.from({ length: steps }, (_, step) => ({
    from: new Date(from.getTime() + step * daysPerStep * DAY_MS).toISOString().slice(0, 10),
    certificates: byStep.get(step) ?? 0,
  }));
}
