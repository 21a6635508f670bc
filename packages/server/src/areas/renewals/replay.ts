// Replays certificate renewals day by day, with current and with shorter validity periods. Pure, and designed for
// hundreds of thousands of certificates: days are indexes in typed arrays.
import { plannedAt, SPREAD_SHARE, spreadOf, windowStart } from './renewal-window.ts';

const DAY_S = 86_400;

/** Times are in seconds since 1970. */
export interface ReplayedCertificate {
  readonly uuid: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly daysBefore: number | null;
  /** Whether the shorter validity period applies to this certificate. */
  readonly isShortened: boolean;
}

export interface Horizon {
  readonly now: number;
  /** Midnight of the first day. */
  readonly firstDay: number;
  readonly days: number;
  /** Time from which the shorter validity period applies. */
  readonly from: number;
  /** The shorter validity period, in seconds. */
  readonly lifetime: number;
}

/** Called for each day on which a certificate is renewed, with the number of renewals on that day. */
type ReportRenewals = (day: number, renewals: number) => void;

/** Returns the validity period of a successor, in seconds. */
export const lifetimeAfter = (certificate: ReplayedCertificate, { lifetime }: Pick<Horizon, 'lifetime'>): number => {
  const today = certificate.notAfter - certificate.notBefore;
  return certificate.isShortened ? Math.min(today, lifetime) : today;
};

/** Returns the time from the start of the renewal window to expiry, in seconds. */
export const windowOf = (length: number, daysBefore: number | null): number =>
  length - windowStart({ notBefore: new Date(0), notAfter: new Date(length * 1_000) }, daysBefore).getTime() / 1_000;

/**
 * Renews each certificate, and then each of its successors, at its time within the renewal window. Certificates whose
 * window has already started are renewed within a tenth of the remaining time.
 */
export function replay(
  certificate: ReplayedCertificate,
  horizon: Horizon,
  tell: { readonly shortened: ReportRenewals; readonly today: ReportRenewals },
) {
  const share = SPREAD_SHARE * spreadOf(certificate.uuid);
  const length = certificate.notAfter - certificate.notBefore;
  const first = firstRenewal(certificate, horizon.now, share);
  const period = periodOf(length, certificate.daysBefore, share);
  const until = horizon.firstDay + horizon.days * DAY_S;
  reportSeries({ first, period, until }, horizon, tell.today);
  // Successors issued before the shorter validity period applies have the old one.
  const before = Math.min(until, horizon.from);
  const old = first >= before ? 0 : Math.ceil((before - first) / period);
  reportSeries({ first, period, until: before }, horizon, tell.shortened);
  const shortened = periodOf(lifetimeAfter(certificate, horizon), certificate.daysBefore, share);
  reportSeries({ first: first + old * period, period: shortened, until }, horizon, tell.shortened);
}

function firstRenewal(
  { uuid, notBefore, notAfter, daysBefore }: ReplayedCertificate,
  now: number,
  share: number,
): number {
  const lifetime = { notBefore: new Date(notBefore * 1_000), notAfter: new Date(notAfter * 1_000) };
  const planned = plannedAt(uuid, lifetime, daysBefore).getTime() / 1_000;
  return planned >= now ? planned : now + (notAfter - now) * share;
}

/** Returns the time between renewals, in seconds. */
function periodOf(length: number, daysBefore: number | null, share: number): number {
  const window = windowOf(length, daysBefore);
  return Math.max(1, length - window + window * share);
}

interface Series {
  readonly first: number;
  readonly period: number;
  readonly until: number;
}

/** Multiple renewals on the same day are reported together. */
function reportSeries({ first, period, until }: Series, { firstDay }: Horizon, tell: ReportRenewals): void {
  const dayOf = (time: number): number => Math.floor((time - firstDay) / DAY_S);
  if (period >= DAY_S) {
    for (let time = first; time < until; time += period) tell(dayOf(time), 1);
    return;
  }
  for (let time = first; time < until;) {
    const day = dayOf(time);
    const end = Math.min(until, firstDay + (day + 1) * DAY_S);
    const renewals = Math.max(1, Math.ceil((end - time) / period));
    tell(day, renewals);
    time += renewals * period;
  }
}
