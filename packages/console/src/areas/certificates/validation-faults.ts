// Why a certificate does not pass validation, and what helps: the first fault that decides.
import type { CertificateValidationCheck, CertificateValidationResultDto } from '@signetry/contract';
import { visibleText } from '@signetry/pki/hidden-characters';
import type { CertificateDetail } from './shapes.ts';

export interface Fault {
  readonly title: string;
  readonly remedy: string;
  /** Nothing is wrong with the certificate: somebody has to trust its root. */
  readonly isTrustMissing?: boolean;
}

const TRUST_MISSING: Fault = {
  title: 'Not trusted here',
  remedy:
    'Every signature up to the root is valid, but the root is not marked as trusted on this platform. If you know where the root comes from, trust it: everything below it then passes.',
  isTrustMissing: true,
};

/** What helps when a check fails; the reason is what the platform says about the check. */
const remedies: Readonly<Record<CertificateValidationCheck, string>> = {
  signature:
    'The key of the issuer did not make this signature: the certificate was changed after it was signed, or it only claims this issuer. Do not use it; get it from its issuer again.',
  basic_constraints: 'An authority in the chain was not allowed to issue it. Get a certificate from another authority.',
  key_usage: 'An authority in the chain may not sign certificates. Get a certificate from another authority.',
  certificate_chain:
    'If the certificate of an issuer is missing, add it to the inventory and validate again. Otherwise get a certificate from an authority with a complete chain.',
  certificate_validity: 'Replace it with a new certificate where it is still in use.',
  ocsp_verification: 'Replace it with a new certificate where it is still in use.',
  crl_verification: 'Replace it with a new certificate where it is still in use.',
};

/** In the order in which they say most. */
const CHECKS = [
  'signature', 'basic_constraints', 'key_usage', 'certificate_chain', 'certificate_validity', 'ocsp_verification',
  'crl_verification',
] as const; // prettier-ignore

const FAULTY: readonly string[] = ['invalid', 'failed', 'revoked', 'expired'];

/** Undefined for what passes, and for what was not validated. */
export function faultOf(
  { resultStatus, validationChecks = {}, message }: CertificateValidationResultDto,
  { isTrustMissing = false }: Pick<CertificateDetail, 'isTrustMissing'>,
): Fault | undefined {
  if (!FAULTY.includes(resultStatus)) return undefined;
  if (isTrustMissing && resultStatus === 'invalid') return TRUST_MISSING;
  const check = CHECKS.find((each) => FAULTY.includes(validationChecks[each]?.status ?? ''));
  const reason = (check && validationChecks[check]?.message) || message || 'The certificate does not pass validation.';
  return { title: visibleText(reason), remedy: remedies[check ?? 'certificate_chain'] };
}
