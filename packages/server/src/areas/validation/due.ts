// When time alone changes the status of a certificate next: it begins, expires soon, or ends.
import type { Certificate } from '@signetry/pki';

const DAY_MS = 86_400_000;

/** Undefined once it has ended. */
export function dueAfter(
  { notBeforeMs, notAfterMs }: Pick<Certificate, 'notBeforeMs' | 'notAfterMs'>,
  { nowMs, expiringThresholdDays }: { readonly nowMs: number; readonly expiringThresholdDays: number },
): number | undefined {
  // Less than the threshold is left one millisecond after it; the last second counts (RFC 5280 §4.1.2.5).
  const moments = [notBeforeMs, notAfterMs - expiringThresholdDays * DAY_MS + 1, notAfterMs + 1000];
  const ahead = moments.filter((moment) => moment > nowMs);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
