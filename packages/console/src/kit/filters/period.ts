// Periods relative to now: a number and a unit, sent as an ISO 8601 duration.
const UNITS = [
  { name: 'hours', before: 'PT', after: 'H' },
  { name: 'days', before: 'P', after: 'D' },
  { name: 'weeks', before: 'P', after: 'W' },
  { name: 'months', before: 'P', after: 'M' },
  { name: 'years', before: 'P', after: 'Y' },
] as const;

export type PeriodUnit = (typeof UNITS)[number]['name'];

export const PERIOD_UNITS: readonly PeriodUnit[] = UNITS.map(({ name }) => name);

export interface Period {
  readonly count: number;
  readonly unit: PeriodUnit;
}

export function writePeriod({ count, unit }: Period): string {
  const { before, after } = UNITS.find(({ name }) => name === unit) ?? UNITS[1];
  return `${before}${count}${after}`;
}

/** Parses a duration. Returns undefined if it has multiple units or an unsupported one. */
export function readPeriod(text: string): Period | undefined {
  for (const { name, before, after } of UNITS) {
    const count = new RegExp(`^${before}(\\d{1,6})${after}$`).exec(text)?.[1];
    if (count !== undefined) return { count: Number(count), unit: name };
  }
  return undefined;
}

/** Returns text such as `30 days` or `1 year`; any text that is not such a period is returned unchanged. */
export function describePeriod(text: string): string {
  const period = readPeriod(text);
  if (!period) return text;
  const { count, unit } = period;
  return `${count.toLocaleString()} ${count === 1 ? unit.slice(0, -1) : unit}`;
}
