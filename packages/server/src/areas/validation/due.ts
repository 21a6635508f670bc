// When time alone next changes a certificate's status: it becomes valid, nears its expiry, or expires.
import type { Certificate } from '@signetry/pki';

const DAY_MS = 86_400_000;

/** Returns the next time at which the status changes, or undefined once the certificate has expired. */
export function dueAfter(
  { notBeforeMs, notAfterMs }: Pick<Certificate, 'notBeforeMs' | 'notAfterMs'>,
  { nowMs, expiringThresholdDays }: { readonly nowMs: number; readonly expiringThresholdDays: number },
): number | undefined {
  // The remaining time falls below the threshold one millisecond after it equals it; notAfter includes its last second
  // (RFC 5280 §4.1.2.5).
  const moments = [notBeforeMs, notAfterMs - expiringThresholdDays * DAY_MS + 1, notAfterMs + 1000];
  const ahead = moments.filter((moment) => moment > nowMs);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
