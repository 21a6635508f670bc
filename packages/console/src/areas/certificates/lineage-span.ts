// Positions of a name's certificates on a shared timeline, as fractions of its length. Pure.
export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Position of the current time as a fraction of the span, from 0 to 1. */
  readonly today: number;
}

interface Validity {
  readonly notBefore?: string | undefined;
  readonly notAfter?: string | undefined;
}

/**
 * Maximum extent of the timeline into the future. An expiry date such as the year 9999 would leave no room for the
 * other certificates.
 */
const FURTHEST_MS = 10 * 365 * 86_400_000;

/**
 * Returns the span from the first notBefore to the last notAfter, extended if needed to include today, or undefined if
 * no certificate was issued.
 */
export function spanOf(certificates: readonly Validity[], nowMs: number): TimeSpan | undefined {
  const begins = certificates.flatMap(({ notBefore }) => (notBefore === undefined ? [] : [Date.parse(notBefore)]));
  const ends = certificates.flatMap(({ notAfter }) => (notAfter === undefined ? [] : [Date.parse(notAfter)]));
  if (begins.length === 0 || ends.length === 0) return undefined;
  const fromMs = Math.min(nowMs, ...begins);
  const untilMs = Math.max(nowMs, Math.min(Math.max(...ends), nowMs + FURTHEST_MS));
  return { fromMs, untilMs, today: fractionAt(nowMs, fromMs, untilMs) };
}

/** Returns fractions of the span, from 0 to 1. */
export function positionOn(
  { fromMs, untilMs }: TimeSpan,
  { notBefore, notAfter }: Validity,
): { readonly start: number; readonly length: number } | undefined {
  if (notBefore === undefined || notAfter === undefined) return undefined;
  const start = fractionAt(Date.parse(notBefore), fromMs, untilMs);
  return { start, length: Math.max(0, fractionAt(Date.parse(notAfter), fromMs, untilMs) - start) };
}

const fractionAt = (atMs: number, fromMs: number, untilMs: number): number =>
  untilMs <= fromMs ? 0 : Math.min(1, Math.max(0, (atMs - fromMs) / (untilMs - fromMs)));
