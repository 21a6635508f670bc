// Verdict about a certificate, check by check, from the validation of its whole path (RFC 5280 §6.1). Pure: the path,
// the known revocations and the time are arguments.
import type { CertificateValidationCheck, CertificateValidationStatus, PurposeVerdict } from '@signetry/contract';
import type { Certificate, PathCheck, RevocationReason } from '@signetry/pki';
import { isUsable } from './standing.ts';
import type { FoundFailure, FoundPath } from './find-paths.ts';

export interface CheckOutcome {
  readonly status: CertificateValidationStatus;
  readonly message: string;
}

/** Result from a CRL or an OCSP response, with the time and the issuer's data, which are not part of a verdict. */
export interface RevocationCheck extends CheckOutcome {
  readonly statement?: RevocationStatement;
}

export interface RevocationStatement {
  /** `CRL` or `OCSP`, followed by the URL. */
  readonly source: string;
  /** thisUpdate of the CRL or response. */
  readonly statedAtMs: number;
  readonly nextUpdateMs: number | undefined;
  /** Present if the certificate is revoked. */
  readonly revoked?: { readonly atMs: number; readonly reason: RevocationReason };
}

export interface RevocationOutcome {
  readonly ocsp: RevocationCheck;
  readonly crl: RevocationCheck;
}

/** A certificate with its path and other information that is not encoded in it. */
export interface Subject {
  readonly certificate: Certificate;
  /** Null if the certificate is not a CA certificate. */
  readonly trustedCa: boolean | null;
  readonly path: FoundPath;
  readonly revocation: RevocationOutcome;
  readonly expiringThresholdDays: number;
}

export interface ValidationOutcome {
  readonly status: CertificateValidationStatus;
  readonly checks: Readonly<Record<CertificateValidationCheck, CheckOutcome>>;
  /** Why the status is not `valid`. */
  readonly message: string | undefined;
  /**
   * Whether the certificate is invalid only because its root, or an authority below the root, is not marked as trusted.
   */
  readonly isTrustMissing: boolean;
  /** Purposes for which the certificate is valid, and why it is not valid for others. */
  readonly purposes: readonly PurposeVerdict[];
}

const DAY_MS = 86_400_000;

export function evaluate(subject: Subject, now: Date): ValidationOutcome {
  const checks = {
    certificate_chain: checkChain(subject),
    signature: checkSignature(subject),
    certificate_validity: checkValidity(subject, now),
    ocsp_verification: subject.revocation.ocsp,
    crl_verification: subject.revocation.crl,
    basic_constraints: checkBasicConstraints(subject),
    key_usage: checkKeyUsage(subject),
  };
  const { status, message } = overallStatus(subject, checks);
  const purposes = purposesOf(subject.path, isUsable(status));
  return { status, message, checks, isTrustMissing: status === 'invalid' && isTrustMissing(subject, checks), purposes };
}

/** An invalid certificate is not valid for any purpose; its status states why. */
const purposesOf = ({ purposes }: FoundPath, isValid: boolean): PurposeVerdict[] =>
  purposes.map(({ purpose, isPermitted, message }) => ({
    purpose,
    valid: isValid && isPermitted,
    ...(isValid && message !== undefined ? { message } : {}),
  }));

/** Returns the status of the first decisive check. */
function overallStatus(
  subject: Subject,
  checks: ValidationOutcome['checks'],
): Pick<ValidationOutcome, 'status' | 'message'> {
  const { certificate_validity: validity, ocsp_verification: ocsp, crl_verification: crl } = checks;
  // A certificate that expired together with its authorities is expired, not invalid. The same applies if they are not
  // valid yet.
  const isOutOfTime = validity.status === 'expired' || validity.status === 'inactive';
  if (isOutOfTime && !subject.path.failures.some(({ check }) => check !== 'validity')) return validity;
  const { certificate_chain: chain, signature, basic_constraints: constraints, key_usage: usage } = checks;
  const broken =
    [chain, signature].find(({ status }) => status !== 'valid') ??
    [constraints, usage].find(({ status }) => status === 'invalid');
  if (broken) return { status: 'invalid', message: broken.message };
  if (isOutOfTime) return validity;
  const revoked = [ocsp, crl].find(({ status }) => status === 'revoked');
  if (revoked) return revoked;
  return validity.status === 'expiring' ? validity : { status: 'valid', message: undefined };
}

/** Only certification authorities can be marked as trusted, and this helps only if all other checks pass. */
function isTrustMissing({ trustedCa, path }: Subject, checks: ValidationOutcome['checks']): boolean {
  const isOwnRoot = path.issuerUuids.length === 0;
  if (isOwnRoot && trustedCa === null) return false;
  const { signature, basic_constraints: constraints, key_usage: usage } = checks;
  return (
    signature.status === 'valid' &&
    constraints.status === 'valid' &&
    usage.status !== 'invalid' &&
    path.failures.every((failure) => failure.isTrustMissing)
  );
}

const valid = (message: string): CheckOutcome => ({ status: 'valid', message });
const invalid = (message: string): CheckOutcome => ({ status: 'invalid', message });

/** Checks whose failures on the certificate itself are reported separately; all other failures break the chain. */
const OWN_CHECKS: readonly FoundFailure['check'][] = [
  'signature',
  'algorithms',
  'validity',
  'basicConstraints',
  'pathLength',
  'keyUsage',
];

function checkChain({ trustedCa, path }: Subject): CheckOutcome {
  const isRoot = path.issuerUuids.length === 0 && (path.end === 'anchor' || path.end === 'untrustedRoot');
  if (isRoot && trustedCa === null)
    return invalid('The certificate is self-signed and is not a certification authority.');
  if (isRoot && !trustedCa) return invalid('The root is not marked as a trusted CA.');
  const failure = path.failures.find(({ index, check }) => index > 0 || !OWN_CHECKS.includes(check));
  if (failure) return invalid(failure.message + searchNote(path));
  if (isRoot) return valid('The root is marked as a trusted CA.');
  return trustedCa === false
    ? invalid('The certification authority is not marked as trusted.')
    : valid('The chain leads to a root that is marked as a trusted CA.');
}

const searchNote = ({ isExhausted }: FoundPath): string =>
  isExhausted ? ' Not all paths were tried: the inventory contains too many that could lead to a root.' : '';

function checkSignature({ path: { checks, end, issuerUuids, failures } }: Subject): CheckOutcome {
  const { signature, algorithms } = checks;
  if (algorithms.status === 'failed') return { status: 'failed', message: algorithms.message };
  if (issuerUuids.length === 0 && end === 'algorithmUnknown')
    return { status: 'not_checked', message: failures[0]?.message ?? '' };
  if (issuerUuids.length === 0 && end === 'issuerNotProven')
    return { status: 'failed', message: failures[0]?.message ?? '' };
  switch (signature.status) {
    case 'passed':
      return valid('Signature verified.');
    case 'failed':
      return { status: 'failed', message: signature.message };
    case 'notChecked':
      if (issuerUuids.length === 0 && end === 'issuerLeftOut')
        return { status: 'not_checked', message: failures[0]?.message ?? '' };
      return { status: 'not_checked', message: 'The issuer is not in the inventory.' };
  }
}

function checkValidity({ certificate, expiringThresholdDays }: Subject, now: Date): CheckOutcome {
  const nowMs = now.getTime();
  const { notBeforeMs, notAfterMs } = certificate;
  if (nowMs < notBeforeMs) return { status: 'inactive', message: `Valid from ${new Date(notBeforeMs).toISOString()}.` };
  // notAfter is inclusive, with a resolution of one second (RFC 5280 §4.1.2.5).
  if (nowMs >= notAfterMs + 1000)
    return { status: 'expired', message: `Expired at ${new Date(notAfterMs).toISOString()}.` };
  const expires = `Expires at ${new Date(notAfterMs).toISOString()}.`;
  return notAfterMs - nowMs < expiringThresholdDays * DAY_MS
    ? { status: 'expiring', message: expires }
    : valid(expires);
}

/**
 * The path length is counted from the authority that states it; the message identifies the certificate that exceeds it
 * by its issuers.
 */
function checkBasicConstraints({ certificate, path }: Subject): CheckOutcome {
  if (certificate.version < 3)
    return { status: 'failed', message: `A version ${certificate.version} certificate cannot have extensions.` };
  const failure = failureOf(path, ['basicConstraints', 'pathLength']);
  return failure ? invalid(failure.message) : valid('Basic constraints satisfied.');
}

function checkKeyUsage({ trustedCa, path }: Subject): CheckOutcome {
  const failure = failureOf(path, ['keyUsage']);
  if (failure) return invalid(failure.message);
  return trustedCa === null
    ? { status: 'not_checked', message: 'Not applicable to end-entity certificates.' }
    : valid('The key can sign certificates.'); // An absent extension allows every use (RFC 5280 §4.2.1.3).
}

const failureOf = ({ failures }: FoundPath, checks: readonly PathCheck[]): FoundFailure | undefined =>
  failures.find(({ check }) => checks.some((each) => each === check));
