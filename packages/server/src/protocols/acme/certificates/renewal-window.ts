// Renewal windows of certificates (RFC 9773 §4.2). Pure; time is an argument.
import { createHash } from 'node:crypto';

export interface RenewalWindow {
  readonly start: Date;
  readonly end: Date;
}

/**
 * The window is centered at two thirds of the validity period, which leaves a third in which to notice and fix a failed
 * renewal.
 */
const WINDOW_CENTRE = 2 / 3;
/**
 * Length of the window as a fraction of the validity period. A certificate's window is also shifted by at most this
 * fraction in either direction.
 */
const WINDOW_LENGTH = 1 / 24;
const SPREAD = 1 / 24;
const SHORTEST_MS = 60_000;

export interface CertificateLifetime {
  readonly uuid: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * Returns the default window. Certificates issued at the same time get different windows, so that they are not all
 * renewed simultaneously.
 */
export function defaultWindow({ uuid, notBefore, notAfter }: CertificateLifetime): RenewalWindow {
  const lifeMs = notAfter.getTime() - notBefore.getTime();
  const shift = (fraction(uuid) * 2 - 1) * SPREAD;
  const startMs = notBefore.getTime() + lifeMs * (WINDOW_CENTRE + shift - WINDOW_LENGTH / 2);
  return windowOf(startMs, Math.max(SHORTEST_MS, lifeMs * WINDOW_LENGTH));
}

/**
 * Limits for Retry-After in seconds (RFC 9773 §4.3.2 lets clients clamp it to between one minute and one day). With
 * these limits, clients notice a revocation within hours.
 */
const SHORTEST_PAUSE_S = 60;
const LONGEST_PAUSE_S = 6 * 3600;

/**
 * Returns Retry-After in seconds: half the length of a default window, so that a client cannot miss its window between
 * two requests.
 */
export function pollIntervalS({ notBefore, notAfter }: Omit<CertificateLifetime, 'uuid'>): number {
  const lifeS = (notAfter.getTime() - notBefore.getTime()) / 1000;
  return Math.min(LONGEST_PAUSE_S, Math.max(SHORTEST_PAUSE_S, Math.floor((lifeS * WINDOW_LENGTH) / 2)));
}

/** Returns a window in the past, for revoked certificates, which should be replaced immediately (RFC 9773 §4.2). */
export function pastWindow(now: Date): RenewalWindow {
  return windowOf(now.getTime() - 2 * 3_600_000, 3_600_000);
}

/**
 * Returns the part of a period in which a certificate should be renewed early. Certificates are distributed over the
 * period in pseudorandom order.
 */
export function earlyWindow({ uuid }: Pick<CertificateLifetime, 'uuid'>, period: RenewalWindow): RenewalWindow {
  const lengthMs = period.end.getTime() - period.start.getTime();
  const partMs = Math.max(Math.min(SHORTEST_MS, lengthMs), lengthMs / 10);
  return windowOf(period.start.getTime() + fraction(uuid) * (lengthMs - partMs), partMs);
}

const windowOf = (startMs: number, lengthMs: number): RenewalWindow => ({
  start: wholeSeconds(startMs),
  end: wholeSeconds(startMs + Math.max(1_000, lengthMs)),
});

const wholeSeconds = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);

/** Returns a pseudorandom number in [0, 1) that is the same on every call. */
const fraction = (uuid: string): number => createHash('sha256').update(uuid).digest().readUInt32BE(0) / 2 ** 32;
