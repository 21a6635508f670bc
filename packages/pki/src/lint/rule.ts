// What a lint rule is. A rule looks at one certificate that is about to be signed and says in one sentence what is wrong.
import type { Certificate } from '../x509/certificate.ts';
import type { KeyPolicy } from '../keys.ts';

/** `error`: must not be signed. `warning`: allowed by the standard, refused by common software or policy. `notice`: a habit. */
export type LintSeverity = 'error' | 'warning' | 'notice';

export interface LintSubject {
  /** The certificate; before signing its signature is empty. */
  readonly certificate: Certificate;
  /** The certificate that will issue it; rules that compare the two are out of scope without it. */
  readonly issuer: Certificate | undefined;
  readonly keyPolicy: KeyPolicy | undefined;
}

export interface LintRule {
  /** Stable identifier, `kebab-case`. */
  readonly id: string;
  /** The clause that the rule enforces. */
  readonly citation: string;
  readonly severity: LintSeverity;
  /** What is wrong, or `undefined` when nothing is or the rule does not apply. May throw `DerError`: see `extension-malformed`. */
  readonly check: (subject: LintSubject) => string | undefined;
}

export interface LintFinding {
  readonly rule: string;
  readonly citation: string;
  readonly severity: LintSeverity;
  readonly message: string;
}

/** The sentence when the condition holds. */
export function when(condition: boolean, message: string): string | undefined {
  return condition ? message : undefined;
}
