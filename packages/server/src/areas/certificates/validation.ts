// The verdict about a chain of certificates, check by check. Pure: what the inventory knows and the time are arguments.
// Path validation itself (RFC 5280 section 6.1) is done by @signetry/pki; here its findings become the checks of the interface.
import type { CertificateValidationCheck, CertificateValidationStatus } from '@signetry/contract';
import {
  formatName,
  validatePath,
  type Certificate,
  type CertificateResult,
  type VerifySignature,
} from '@signetry/pki';

export interface CheckOutcome {
  readonly status: CertificateValidationStatus;
  readonly message: string;
}

export interface RevocationOutcome {
  readonly ocsp: CheckOutcome;
  readonly crl: CheckOutcome;
}

/** A certificate of the chain with what is known about it beside its bytes. */
export interface Link {
  readonly certificate: Certificate;
  /** Null for what is not a CA. */
  readonly trustedCa: boolean | null;
  readonly revocation: RevocationOutcome;
  readonly expiringThresholdDays: number;
}

export interface Verdict {
  readonly status: CertificateValidationStatus;
  readonly checks: Readonly<Record<CertificateValidationCheck, CheckOutcome>>;
  /** Why the status is not `valid`. */
  readonly message: string | undefined;
}

export interface ValidationFacts {
  /** The chain ends in a certificate that signed itself. */
  readonly isComplete: boolean;
  readonly now: Date;
  readonly verify: VerifySignature;
}

const DAY_MS = 86_400_000;

/** Verdicts in the order of the links: end certificate first. An issuer is judged before what it issued. */
export function validateChain(links: readonly Link[], facts: ValidationFacts): Verdict[] {
  const path = validatePath(
    links.map(({ certificate }) => certificate),
    { nowMs: facts.now.getTime(), verify: facts.verify },
  );
  const verdicts: Verdict[] = [];
  let above: Judged | undefined;
  for (let index = links.length - 1; index >= 0; index -= 1) {
    const link = links[index];
    const result = path.certificates[index];
    if (!link || !result) throw new Error('Path validation answers one result for each certificate.');
    const verdict = judge({ link, result, above }, facts);
    verdicts.unshift(verdict);
    above = { link, result, verdict };
  }
  return verdicts;
}

interface Judged {
  readonly link: Link;
  readonly result: CertificateResult;
  readonly verdict: Verdict;
}

interface Subject {
  readonly link: Link;
  readonly result: CertificateResult;
  /** Its issuer; absent for the top of the chain. */
  readonly above: Judged | undefined;
}

function judge(subject: Subject, facts: ValidationFacts): Verdict {
  const checks = {
    certificate_chain: checkChain(subject, facts),
    signature: checkSignature(subject),
    certificate_validity: checkValidity(subject.link, facts.now),
    ocsp_verification: subject.link.revocation.ocsp,
    crl_verification: subject.link.revocation.crl,
    basic_constraints: checkBasicConstraints(subject),
    key_usage: checkKeyUsage(subject.link.certificate),
  };
  return { ...overall(checks), checks };
}

/** The first of these decides. Basic constraints and key usage are shown, but an issuer without them is no issuer to begin with. */
function overall(checks: Verdict['checks']): Pick<Verdict, 'status' | 'message'> {
  const {
    certificate_chain: chain,
    signature,
    certificate_validity: validity,
    ocsp_verification: ocsp,
    crl_verification: crl,
  } = checks;
  if (chain.status !== 'valid') return { status: 'invalid', message: chain.message };
  if (signature.status !== 'valid') return { status: 'invalid', message: signature.message };
  if (validity.status === 'inactive' || validity.status === 'expired') return validity;
  const revoked = [ocsp, crl].find(({ status }) => status === 'revoked');
  if (revoked) return revoked;
  return validity.status === 'expiring' ? validity : { status: 'valid', message: undefined };
}

function checkChain({ link, result, above }: Subject, { isComplete }: ValidationFacts): CheckOutcome {
  const { certificate, trustedCa } = link;
  const invalid = (message: string): CheckOutcome => ({ status: 'invalid', message });
  if (!above) {
    if (!isComplete)
      return invalid(
        `The chain is not complete: the issuer ${formatName(certificate.issuer)} is not in the inventory.`,
      );
    if (trustedCa === null)
      return invalid('The certificate is signed with its own key and is not a certification authority.');
    return trustedCa
      ? valid('The root is marked as a trusted CA.')
      : invalid('The root is not marked as a trusted CA.');
  }
  const issuerStatus = above.verdict.status;
  if (issuerStatus === 'invalid' || issuerStatus === 'revoked')
    return invalid(`The issuer ${formatName(certificate.issuer)} is ${issuerStatus}.`);
  for (const check of ['nameChaining', 'nameConstraints', 'policies', 'criticalExtensions'] as const) {
    const { status, message } = result.checks[check];
    if (status === 'failed') return invalid(message);
  }
  return trustedCa === false
    ? invalid('The certification authority is not marked as trusted.')
    : valid('The chain leads to a root that is marked as a trusted CA.');
}

const valid = (message: string): CheckOutcome => ({ status: 'valid', message });

function checkSignature({ result }: Subject): CheckOutcome {
  const { status, message } = result.checks.signature;
  switch (status) {
    case 'passed':
      return valid('The key of the issuer made the signature.');
    case 'failed':
      return { status: 'failed', message };
    case 'notChecked':
      return { status: 'not_checked', message: 'The issuer is not in the inventory.' };
  }
}

function checkValidity({ certificate, expiringThresholdDays }: Link, now: Date): CheckOutcome {
  const nowMs = now.getTime();
  const { notBeforeMs, notAfterMs } = certificate;
  if (nowMs < notBeforeMs) return { status: 'inactive', message: `Valid from ${new Date(notBeforeMs).toISOString()}.` };
  // notAfter is a whole second and included (RFC 5280 section 4.1.2.5).
  if (nowMs >= notAfterMs + 1000)
    return { status: 'expired', message: `Expired at ${new Date(notAfterMs).toISOString()}.` };
  const expires = `Expires at ${new Date(notAfterMs).toISOString()}.`;
  return notAfterMs - nowMs < expiringThresholdDays * DAY_MS
    ? { status: 'expiring', message: expires }
    : valid(expires);
}

/** Shown at the certificate that was issued against the rules, not at its issuer. */
function checkBasicConstraints({ link, result, above }: Subject): CheckOutcome {
  if (link.certificate.version < 3)
    return { status: 'failed', message: `A certificate of version ${link.certificate.version} has no extensions.` };
  const issuer = above?.result.checks.basicConstraints;
  if (issuer?.status === 'failed')
    return { status: 'invalid', message: 'Its issuer is not a certification authority.' };
  const { pathLength } = result.checks;
  if (pathLength.status === 'failed') return { status: 'invalid', message: pathLength.message };
  return valid('The basic constraints of the chain are kept.');
}

function checkKeyUsage({ isCa, keyUsage }: Certificate): CheckOutcome {
  if (!isCa) return { status: 'not_checked', message: 'The certificate is not of a certification authority.' };
  // An absent extension allows every use (RFC 5280 section 4.2.1.3).
  return keyUsage === undefined || keyUsage.includes('keyCertSign')
    ? valid('The key may sign certificates.')
    : { status: 'invalid', message: 'The key usage does not allow signing certificates.' };
}
