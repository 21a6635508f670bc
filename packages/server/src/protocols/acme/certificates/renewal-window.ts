// When a certificate should be renewed (RFC 9773 §4.2). Pure; time is an argument.
import { createHash } from 'node:crypto';

export interface RenewalWindow {
  readonly start: Date;
  readonly end: Date;
}

/**
 * The window lies around two thirds of the lifetime, so that a failed renewal leaves a third to notice and repair it.
 */
const WINDOW_CENTRE = 2 / 3;
/** Its length as a part of the lifetime, and how far a certificate's own window may be shifted to either side. */
const WINDOW_LENGTH = 1 / 24;
const SPREAD = 1 / 24;
const SHORTEST_MS = 60_000;

export interface CertificateLife {
  readonly uuid: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * The window by rule. Certificates made at one moment get windows that differ, so that a fleet does not come at once.
 */
export function usualWindow({ uuid, notBefore, notAfter }: CertificateLife): RenewalWindow {
  const lifeMs = notAfter.getTime() - notBefore.getTime();
  const shift = (fraction(uuid) * 2 - 1) * SPREAD;
  const startMs = notBefore.getTime() + lifeMs * (WINDOW_CENTRE + shift - WINDOW_LENGTH / 2);
  return windowOf(startMs, Math.max(SHORTEST_MS, lifeMs * WINDOW_LENGTH));
}

/** Bounds of the pause in seconds (RFC 9773 §4.3.2 gives clients a minute and a day); a revocation is seen in hours. */
const SHORTEST_PAUSE_S = 60;
const LONGEST_PAUSE_S = 6 * 3600;

/** Seconds until a client asks again: half of a window by rule, so that none goes by between two questions. */
export function pauseBetweenQuestionsS({ notBefore, notAfter }: Omit<CertificateLife, 'uuid'>): number {
  const lifeS = (notAfter.getTime() - notBefore.getTime()) / 1000;
  return Math.min(LONGEST_PAUSE_S, Math.max(SHORTEST_PAUSE_S, Math.floor((lifeS * WINDOW_LENGTH) / 2)));
}

/**
 * A revoked certificate should be replaced at once: its window is over (RFC 9773 §4.2 lets such a client renew
 * immediately).
 */
export function pastWindow(now: Date): RenewalWindow {
  return windowOf(now.getTime() - 2 * 3_600_000, 3_600_000);
}

/** The part of a period in which each of many certificates is asked to be renewed early, in the order of chance. */
export function earlyWindow({ uuid }: Pick<CertificateLife, 'uuid'>, period: RenewalWindow): RenewalWindow {
  const lengthMs = period.end.getTime() - period.start.getTime();
  const partMs = Math.max(Math.min(SHORTEST_MS, lengthMs), lengthMs / 10);
  return windowOf(period.start.getTime() + fraction(uuid) * (lengthMs - partMs), partMs);
}

const windowOf = (startMs: number, lengthMs: number): RenewalWindow => ({
  start: wholeSeconds(startMs),
  end: wholeSeconds(startMs + Math.max(1_000, lengthMs)),
});

const wholeSeconds = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);

/** A number from 0 up to 1 that looks random and is the same each time. */
const fraction = (uuid: string): number => createHash('sha256').update(uuid).digest().readUInt32BE(0) / 2 ** 32;
