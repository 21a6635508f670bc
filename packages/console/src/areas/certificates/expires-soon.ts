// What "soon" means for the end of a certificate, in lists, states and on the overview: periods begin now, not at
// midnight, as they do in the filters of the platform.
import { DAY_MS } from '../../format/dates.ts';

/** ACME clients renew certificates of 90 days when a third is left; what is nearer should be renewed now. */
export const EXPIRES_SOON_DAYS = 30;

/** The period is that of long certificates; short ones expire soon in the last third of their validity. */
export const expiresSoon = (
  { notBefore, notAfter }: { readonly notBefore?: string | undefined; readonly notAfter?: string | undefined },
  now: number,
): boolean => {
  if (notBefore === undefined || notAfter === undefined) return false;
  const [start, end] = [Date.parse(notBefore), Date.parse(notAfter)];
  return end - now <= Math.min(EXPIRES_SOON_DAYS * DAY_MS, (end - start) / 3);
};
