// Statistics rules: expiry buckets and daily series. Pure: time is an argument.

const DAY_MS = 86_400_000;

/** Days until expiry. Each bucket excludes the previous ones. */
const BUCKET_DAYS = [10, 20, 30, 60, 90] as const;

/** Bucket names in order. Certificates that have not been issued yet have no expiry. */
export const EXPIRY_BUCKETS: readonly string[] = ['Expired', ...BUCKET_DAYS.map(String), 'More'];
export const NOT_ISSUED = 'Not Issued';

/**
 * Returns the bounds between the buckets. A certificate is valid through its last millisecond (RFC 5280 §4.1.2.5). An
 * expiry exactly 10 days from now is within 10 days, as it is in a filter for the next 10 days.
 */
export const expiryBounds = (now: Date): Date[] => [
  now,
  ...BUCKET_DAYS.map((days) => new Date(now.getTime() + days * DAY_MS + 1)),
];

export interface Series {
  /** Midnight (UTC) at which the first step starts. */
  readonly from: Date;
  readonly steps: number;
  readonly daysPerStep: number;
}

/** Returns the most recent days, including today. */
export const lastDays = (now: Date, days: number): Series => ({
  from: new Date(midnight(now).getTime() - (days - 1) * DAY_MS),
  steps: days,
  daysPerStep: 1,
});

/** Returns the coming days in steps, starting today. The last step may extend past the last day. */
export const comingDays = (now: Date, days: number, daysPerStep: number): Series => ({
  from: midnight(now),
  steps: Math.ceil(days / daysPerStep),
  daysPerStep,
});

const midnight = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);

/** Returns all steps of a series in order, including those without a count. Each step is labeled with its first day. */
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
