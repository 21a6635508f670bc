// Durations in readable units; the platform stores them in seconds.
const UNITS = [
  { name: 'days', seconds: 86_400 },
  { name: 'hours', seconds: 3_600 },
  { name: 'minutes', seconds: 60 },
  { name: 'seconds', seconds: 1 },
] as const;

export type DurationUnit = (typeof UNITS)[number]['name'];

export const DURATION_UNITS: readonly DurationUnit[] = UNITS.map(({ name }) => name).toReversed();

export const secondsOf = (count: number, unit: DurationUnit): number =>
  count * (UNITS.find(({ name }) => name === unit)?.seconds ?? 1);

/** Splits a duration into a count and the largest unit that divides it evenly. */
export function splitSeconds(seconds: number): { readonly count: number; readonly unit: DurationUnit } {
  const unit = UNITS.find((each) => seconds > 0 && seconds % each.seconds === 0);
  return unit ? { count: seconds / unit.seconds, unit: unit.name } : { count: seconds, unit: 'seconds' };
}

/** Returns text such as `10 hours`, `1 minute` or `90 seconds`. */
export function formatSeconds(seconds: number): string {
  const { count, unit } = splitSeconds(seconds);
  return `${count.toLocaleString()} ${count === 1 ? unit.slice(0, -1) : unit}`;
}
