// All rules, by object type and source. They apply to existing objects; for rules applied before signing, see
// `lint.ts`.
import { ALGORITHM_STRENGTH } from './rules/algorithm-strength.ts';
import { APPLE, CHROME, MOZILLA } from './rules/root-programs.ts';
import { CERTIFICATES, LintSubject } from './certificate-rule.ts';
import { CERTIFICATION_REQUESTS } from './rules/requests.ts';
import { EXTENDED_VALIDATION } from './rules/extended-validation.ts';
import { findingsOf, listRules, type LintFinding, type ListedRule } from './evaluate.ts';
import { KEYS } from './key-rule.ts';
import { POST_QUANTUM } from './rules/post-quantum.ts';
import { PUBLIC_KEYS } from './rules/public-keys.ts';
import { QUALIFIED } from './rules/qualified.ts';
import { REQUESTS, RequestSubject } from './request-rule.ts';
import { SMIME_BASELINE } from './rules/smime-baseline.ts';
import { TLS_BASELINE } from './rules/baseline/tls-baseline.ts';
import { TOKEN_KEYS } from './rules/token-keys.ts';
import { X509_PROFILE } from './rules/rfc5280/x509-profile.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { CertificationRequest } from '../csr.ts';
import type { PublicKey } from '../keys.ts';
import type { RuleSet } from './rule.ts';

export const CERTIFICATE_SETS = [
  X509_PROFILE,
  PUBLIC_KEYS,
  TLS_BASELINE,
  EXTENDED_VALIDATION,
  SMIME_BASELINE,
  APPLE,
  MOZILLA,
  CHROME,
  ALGORITHM_STRENGTH,
  POST_QUANTUM,
  QUALIFIED,
] as const;
export const REQUEST_SETS = [CERTIFICATION_REQUESTS] as const;
export const KEY_SETS = [TOKEN_KEYS] as const;

export const CERTIFICATE_RULES: readonly ListedRule<LintSubject>[] = listRules(CERTIFICATE_SETS, CERTIFICATES);
export const REQUEST_RULES: readonly ListedRule<RequestSubject>[] = listRules(REQUEST_SETS, REQUESTS);
export const KEY_RULES: readonly ListedRule<PublicKey>[] = listRules(KEY_SETS, KEYS);

/** Description of a rule set, without its rules. */
export type RuleSetFacts = Pick<RuleSet<never>, 'code' | 'name' | 'description'>;

export interface LintSelection {
  /** Codes of the rule sets to apply. Default: all. */
  readonly sets?: readonly string[] | undefined;
}

const selectRules = <Subject>(
  rules: readonly ListedRule<Subject>[],
  { sets }: LintSelection,
): readonly ListedRule<Subject>[] => (sets === undefined ? rules : rules.filter(({ set }) => sets.includes(set)));

/**
 * Returns the findings of all rules for a certificate. Specifying its issuer enables rules that compare the two
 * certificates.
 */
export const findingsOnCertificate = (
  certificate: Certificate,
  { issuer, ...choice }: LintSelection & { readonly issuer?: Certificate | undefined } = {},
): LintFinding[] =>
  findingsOf(new LintSubject(certificate, issuer), {
    rules: selectRules(CERTIFICATE_RULES, choice),
    kind: CERTIFICATES,
  });

/** Returns the findings of all rules for a CSR. */
export const findingsOnRequest = (request: CertificationRequest, choice: LintSelection = {}): LintFinding[] =>
  findingsOf(new RequestSubject(request), { rules: selectRules(REQUEST_RULES, choice), kind: REQUESTS });

/** Returns the findings of all rules for a public key. */
export const findingsOnKey = (key: PublicKey, choice: LintSelection = {}): LintFinding[] =>
  findingsOf(key, { rules: selectRules(KEY_RULES, choice), kind: KEYS });
