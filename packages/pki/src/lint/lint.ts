// Lint before signing: the to-be-signed certificate passes every rule before a key is used on it.
import { CERTIFICATE_RULES } from './certificate-rules.ts';
import { EXTENSION_RULES } from './extension-rules.ts';
import { NAME_RULES } from './name-rules.ts';
import { parseTbsCertificate, type Certificate } from '../x509/certificate.ts';
import { PkiError } from '../errors.ts';
import type { KeyPolicy } from '../keys.ts';
import type { LintFinding, LintRule, LintSubject } from './rule.ts';

/** All rules. Identifiers are unique and stable. */
export const LINT_RULES: readonly LintRule[] = [...CERTIFICATE_RULES, ...NAME_RULES, ...EXTENSION_RULES];

export interface LintOptions {
  /** The issuing certificate: allows the rules that compare. */
  readonly issuer?: Certificate;
  readonly keyPolicy?: KeyPolicy;
  /** Identifiers of rules that are not to be applied. */
  readonly except?: readonly string[];
}

/** Findings about a certificate, in the order of the rules; empty when there are none. */
export function lintCertificate(certificate: Certificate, options: LintOptions = {}): LintFinding[] {
  const subject: LintSubject = { certificate, issuer: options.issuer, keyPolicy: options.keyPolicy };
  const findings: LintFinding[] = [];
  for (const rule of LINT_RULES) {
    if (options.except?.includes(rule.id)) continue;
    const message = apply(rule, subject);
    if (message !== undefined) {
      findings.push({ rule: rule.id, citation: rule.citation, severity: rule.severity, message });
    }
  }
  return findings;
}

/** A rule that meets malformed octets stays silent: `extension-malformed` reports them once. */
function apply(rule: LintRule, subject: LintSubject): string | undefined {
  try {
    return rule.check(subject);
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

/** Findings about octets that are about to be signed. Throws `DerError` when they are no TBSCertificate at all. */
export function lintTbsCertificate(tbs: Uint8Array, options: LintOptions = {}): LintFinding[] {
  return lintCertificate(parseTbsCertificate(tbs), options);
}
