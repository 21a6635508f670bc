// Defines when a certificate "expires soon" in lists, states and the overview. Periods start now, not at midnight, as
// in the platform's filters.
import { DAY_MS } from '../../format/dates.ts';

/**
 * ACME clients renew 90-day certificates when a third of the validity remains; certificates with less time left should
 * be renewed now.
 */
export const EXPIRES_SOON_DAYS = 30;

/** Returns whether at most 30 days remain, or a third of the validity period if that is shorter. */
export const expiresSoon = (
  { notBefore, notAfter }: { readonly notBefore?: string | undefined; readonly notAfter?: string | undefined },
  now: number,
): boolean => {
  if (notBefore === undefined || notAfter === undefined) return false;
  const [start, end] = [Date.parse(notBefore), Date.parse(notAfter)];
  return end - now <= Math.min(EXPIRES_SOON_DAYS * DAY_MS, (end - start) / 3);
};
