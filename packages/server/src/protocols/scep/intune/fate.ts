// What there is to tell Intune of a request, and when the next look or attempt is. Pure.
import { createHash } from 'node:crypto';
import { formatNameRfc4514, parseCertificate, SCEP_FAIL_INFO } from '@signetry/pki';
import type { Enrolment } from '../../../areas/enrolments/index.ts';
import type { FailureFacts, IssuedFacts } from './client.ts';
import type { NoticeRow } from './tables.ts';

/** Codes with this bit are not of Microsoft ([MS-ERREF] 2.1). */
const CUSTOMER_BIT = 0x2000_0000;
/** The enrolment begins at once, or its node died before. */
const BEGINS_WITHIN_MS = 10 * 60_000;
/** A device that comes back within it goes on with what a node left behind. */
const COMES_BACK_WITHIN_MS = 24 * 3_600_000;
const MAX_ATTEMPTS = 80;

export type Fate =
  | { readonly kind: 'issued'; readonly facts: IssuedFacts }
  | { readonly kind: 'failed'; readonly facts: FailureFacts }
  /** Nobody knows yet. */
  | { readonly kind: 'open' }
  /** Nothing was ever asked for. */
  | { readonly kind: 'void' };

export function fateOf(enrolment: Enrolment | undefined, { created_at: createdAt }: NoticeRow, now: Date): Fate {
  const ageMs = now.getTime() - createdAt.getTime();
  if (!enrolment) return { kind: ageMs > BEGINS_WITHIN_MS ? 'void' : 'open' };
  const { certificate, state, problem = 'The request was refused.' } = enrolment;
  if (certificate) return { kind: 'issued', facts: issuedFacts(certificate) };
  if (state === 'refused') return { kind: 'failed', facts: failure(problem) };
  if (enrolment.isAbandoned && ageMs > COMES_BACK_WITHIN_MS)
    return { kind: 'failed', facts: failure('The server stopped before it asked for the certificate.') };
  return { kind: 'open' };
}

/** What a device is told of a refused request, too. */
const failure = (words: string): FailureFacts => ({ code: CUSTOMER_BIT + SCEP_FAIL_INFO.badRequest, words });

function issuedFacts(der: Uint8Array): IssuedFacts {
  const { serialNumber, notAfterMs, issuer } = parseCertificate(der);
  return {
    // The form in which Windows shows it; nothing is protected by it.
    thumbprint: createHash('sha1').update(der).digest('hex').toUpperCase(),
    serialNumber: serialNumber.toUpperCase(),
    expiresAt: new Date(notAfterMs),
    issuer: formatNameRfc4514(issuer),
  };
}

/** Ever more rarely: a person may take days to decide. */
export function nextLook({ created_at: createdAt }: Pick<NoticeRow, 'created_at'>, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(ageMs / 10, 5_000), 300_000));
}

/** After a failed attempt: from ten seconds to an hour, for about three days; undefined: it is given up. */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  return new Date(now.getTime() + Math.min(10_000 * 2 ** Math.min(attempts - 1, 20), 3_600_000));
}
