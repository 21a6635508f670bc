// Calculates a certificate's validity period. Pure. A certificate never outlives its CA. If necessary, the default
// expiry is shortened. A requested expiry is rejected with the latest possible one instead, because silently granting
// less would be misleading.
import type { Certificate } from '@signetry/pki';
import type { CertificateProfile } from '../profiles/certificate-profile.ts';
import type { Problems } from '../problems.ts';

const DAY_MS = 86_400_000;
/** How far in the past a requested start can be. This allows for clock skew, but not for backdating. */
const MAX_BACKDATE_MS = 5 * 60_000;

export interface ValiditySpec {
  readonly days?: number | undefined;
  readonly notBefore?: Date | undefined;
  readonly notAfter?: Date | undefined;
}

export interface Validity {
  readonly notBeforeMs: number;
  /** Last second of the validity period (RFC 5280 §4.1.2.5). */
  readonly notAfterMs: number;
}

export interface ValidityContext {
  readonly nowMs: number;
  readonly profile: Pick<CertificateProfile, 'validityDays' | 'maxValidityDays' | 'backdateMs'>;
  readonly issuer: Pick<Certificate, 'notBeforeMs' | 'notAfterMs'>;
}

export function chooseValidity(wish: ValiditySpec, context: ValidityContext, problems: Problems): Validity {
  const { nowMs, profile, issuer } = context;
  const notBeforeMs = chooseStart(wish, context, problems);
  const latestMs = Math.min(issuer.notAfterMs, endAfter(notBeforeMs, profile.maxValidityDays));
  const wishedMs = requestedEnd(wish, notBeforeMs, problems);
  if (issuer.notAfterMs <= nowMs) problems.add(`The CA certificate expired on ${isoDate(issuer.notAfterMs)}.`);
  if (wishedMs === undefined) {
    const notAfterMs = Math.min(endAfter(notBeforeMs, profile.validityDays), issuer.notAfterMs);
    return { notBeforeMs, notAfterMs: Math.max(notAfterMs, notBeforeMs) };
  }
  if (wishedMs > latestMs) {
    problems.add(`The validity period must not end after ${isoDate(latestMs)}; ${isoDate(wishedMs)} was requested.`);
  }
  if (wishedMs <= Math.max(nowMs, notBeforeMs))
    problems.add('The validity period must end after its start and in the future.');
  return { notBeforeMs, notAfterMs: Math.max(wishedMs, notBeforeMs) };
}

function chooseStart(
  { notBefore }: ValiditySpec,
  { nowMs, profile, issuer }: ValidityContext,
  problems: Problems,
): number {
  if (!notBefore) return truncateToSeconds(Math.max(nowMs - profile.backdateMs, issuer.notBeforeMs));
  const wishedMs = truncateToSeconds(notBefore.getTime());
  const earliestMs = truncateToSeconds(Math.max(nowMs - MAX_BACKDATE_MS, issuer.notBeforeMs));
  if (wishedMs < earliestMs) problems.add(`The validity period must not start before ${isoDate(earliestMs)}.`);
  return wishedMs;
}

function requestedEnd({ days, notAfter }: ValiditySpec, notBeforeMs: number, problems: Problems): number | undefined {
  if (days !== undefined && notAfter) {
    problems.add('Specify either a number of days or an expiry date, not both.');
    return undefined;
  }
  return days === undefined ? notAfter && truncateToSeconds(notAfter.getTime()) : endAfter(notBeforeMs, days);
}

/** Both ends are inclusive, so a day ends one second before the same time on the next day. */
const endAfter = (startMs: number, days: number): number => startMs + days * DAY_MS - 1000;

const truncateToSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000;

const isoDate = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
