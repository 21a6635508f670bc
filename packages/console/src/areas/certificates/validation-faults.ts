// Why a certificate fails validation and how to fix it, based on the first decisive fault.
import type { CertificateValidationCheck, CertificateValidationResultDto } from '@signetry/contract';
import { visibleText } from '@signetry/pki/hidden-characters';
import type { CertificateDetail } from './shapes.ts';

export interface Fault {
  readonly title: string;
  readonly remedy: string;
  /** Whether the certificate itself is valid and only its root must be trusted. */
  readonly isTrustMissing?: boolean;
}

const TRUST_MISSING: Fault = {
  title: 'Untrusted root',
  remedy:
    'All signatures up to the root are valid, but the root is not marked as trusted on this platform. If you know where the root comes from, trust it: all certificates below it will then pass.',
  isTrustMissing: true,
};

/** Remedies for failed checks; the reason is the platform's message for the check. */
const remedies: Readonly<Record<CertificateValidationCheck, string>> = {
  signature:
    'The signature was not created with the issuer’s key: the certificate was modified after signing, or it only claims this issuer. Do not use it; get it from the issuer again.',
  basic_constraints: 'A CA in the chain was not permitted to issue it. Get a certificate from a different CA.',
  key_usage: 'A CA in the chain is not permitted to sign certificates. Get a certificate from a different CA.',
  certificate_chain:
    'If an issuer certificate is missing, add it to the inventory and validate again. Otherwise, get a certificate from a CA with a complete chain.',
  certificate_validity: 'If it is still in use, replace it with a new certificate.',
  ocsp_verification: 'If it is still in use, replace it with a new certificate.',
  crl_verification: 'If it is still in use, replace it with a new certificate.',
};

/** Most informative check first. */
const CHECKS = [
  'signature', 'basic_constraints', 'key_usage', 'certificate_chain', 'certificate_validity', 'ocsp_verification',
  'crl_verification',
] as const; // prettier-ignore

const FAULTY: readonly string[] = ['invalid', 'failed', 'revoked', 'expired'];

/** Returns undefined if the certificate passed or was not validated. */
export function faultOf(
  { resultStatus, validationChecks = {}, message }: CertificateValidationResultDto,
  { isTrustMissing = false }: Pick<CertificateDetail, 'isTrustMissing'>,
): Fault | undefined {
  if (!FAULTY.includes(resultStatus)) return undefined;
  if (isTrustMissing && resultStatus === 'invalid') return TRUST_MISSING;
  const check = CHECKS.find((each) => FAULTY.includes(validationChecks[each]?.status ?? ''));
  const reason = (check && validationChecks[check]?.message) || message || 'The certificate failed validation.';
  return { title: visibleText(reason), remedy: remedies[check ?? 'certificate_chain'] };
}
