// Determines what to report to Intune about a request, and when to check or try again. Pure.
import { createHash } from 'node:crypto';
import { formatNameRfc4514, parseCertificate, SCEP_FAIL_INFO } from '@signetry/pki';
import type { Enrollment } from '../../../areas/enrollments/index.ts';
import type { FailureFacts, IssuedFacts } from './client.ts';
import type { NoticeRow } from './tables.ts';

/** Marks codes that are not Microsoft's ([MS-ERREF] 2.1). */
const CUSTOMER_BIT = 0x2000_0000;
/** Time within which an enrollment begins. It normally begins immediately, unless its node failed before then. */
const BEGINS_WITHIN_MS = 10 * 60_000;
/** A device that returns within this time continues an enrollment that a node left unfinished. */
const COMES_BACK_WITHIN_MS = 24 * 3_600_000;
const MAX_ATTEMPTS = 80;

export type EnrollmentOutcome =
  | { readonly kind: 'issued'; readonly facts: IssuedFacts }
  | { readonly kind: 'failed'; readonly facts: FailureFacts }
  /** The outcome is not known yet. */
  | { readonly kind: 'open' }
  /** No certificate was ever requested. */
  | { readonly kind: 'void' };

export function enrollmentOutcomeOf(
  enrollment: Enrollment | undefined,
  { created_at: createdAt }: NoticeRow,
  now: Date,
): EnrollmentOutcome {
  const ageMs = now.getTime() - createdAt.getTime();
  if (!enrollment) return { kind: ageMs > BEGINS_WITHIN_MS ? 'void' : 'open' };
  const { certificate, state, problem = 'The request was rejected.' } = enrollment;
  if (certificate) return { kind: 'issued', facts: issuedFacts(certificate) };
  if (state === 'refused') return { kind: 'failed', facts: failure(problem) };
  if (enrollment.isAbandoned && ageMs > COMES_BACK_WITHIN_MS)
    return { kind: 'failed', facts: failure('The server stopped before it requested the certificate.') };
  return { kind: 'open' };
}

/** Returns the same failure that a device receives for a rejected request. */
const failure = (words: string): FailureFacts => ({ code: CUSTOMER_BIT + SCEP_FAIL_INFO.badRequest, words });

function issuedFacts(der: Uint8Array): IssuedFacts {
  const { serialNumber, notAfterMs, issuer } = parseCertificate(der);
  return {
    // Windows displays SHA-1 thumbprints; they are not used for security.
    thumbprint: createHash('sha1').update(der).digest('hex').toUpperCase(),
    serialNumber: serialNumber.toUpperCase(),
    expiresAt: new Date(notAfterMs),
    issuer: formatNameRfc4514(issuer),
  };
}

/** Returns the time of the next check. Intervals increase, because a user's decision can take days. */
export function nextCheck({ created_at: createdAt }: Pick<NoticeRow, 'created_at'>, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(ageMs / 10, 5_000), 300_000));
}

/**
 * Returns the time of the next attempt after a failure. Delays increase from 10 s to 1 h for about three days; after
 * that, returns undefined to give up.
 */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  return new Date(now.getTime() + Math.min(10_000 * 2 ** Math.min(attempts - 1, 20), 3_600_000));
}
