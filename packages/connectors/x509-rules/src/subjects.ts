// Kinds of objects that can be checked: how each kind is parsed, and which rules apply to it.
import { rejected } from '@signetry/connector-sdk';
import type { Resource } from '@signetry/contract';
import { isPkiError, parsePublicKey, readCertificate, readCertificationRequest } from '@signetry/pki';
import {
  CERTIFICATE_RULES,
  CERTIFICATE_SETS,
  CERTIFICATES,
  evaluate,
  KEY_RULES,
  KEY_SETS,
  KEYS,
  LintSubject,
  REQUEST_RULES,
  REQUEST_SETS,
  REQUESTS,
  RequestSubject,
  situationOf,
  type ListedRule,
  type ObjectKind,
  type RuleResult,
} from '@signetry/pki/lint';

/** A rule as presented to callers. */
export type OfferedRule = Pick<
  ListedRule<never>,
  'id' | 'set' | 'demand' | 'remedy' | 'citation' | 'field' | 'severity' | 'parameters'
>;

/** Checks one object against the rule with the given identifier, using the given parameter values. */
export type RuleEvaluator = (id: string, parameters: object | undefined) => RuleResult;

export interface SubjectKind {
  readonly resource: Resource;
  readonly type: string;
  /** Absent if there is only one format. */
  readonly format?: string;
  readonly sets: readonly { readonly code: string; readonly name: string; readonly description: string }[];
  readonly rules: readonly OfferedRule[];
  /** Parses an object's bytes. Throws if they are malformed. */
  readonly open: (octets: Uint8Array) => RuleEvaluator;
}

/** Returns an object's judge. The facts that decide which rules apply are determined only once for all rules. */
function evaluatorOf<Subject>(
  subject: Subject,
  { rules, kind }: { rules: ReadonlyMap<string, ListedRule<Subject>>; kind: ObjectKind<Subject> },
): RuleEvaluator {
  const situation = situationOf(subject, kind);
  return (id, parameters) => {
    const rule = rules.get(id);
    return rule ? evaluate(rule, subject, { situation, parameters }) : { status: 'notApplicable' };
  };
}

function readOrReject<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${what} cannot be parsed: ${error.message}`);
    throw error;
  }
}

const indexById = <Subject>(rules: readonly ListedRule<Subject>[]): ReadonlyMap<string, ListedRule<Subject>> =>
  new Map(rules.map((rule) => [rule.id, rule]));

const certificateRules = indexById(CERTIFICATE_RULES);
const requestRules = indexById(REQUEST_RULES);
const keyRules = indexById(KEY_RULES);

export const certificates: SubjectKind = {
  resource: 'certificates',
  type: 'X.509',
  sets: CERTIFICATE_SETS,
  rules: CERTIFICATE_RULES,
  open: (octets) => {
    const certificate = readOrReject('The certificate', () => readCertificate(octets));
    return evaluatorOf(new LintSubject(certificate), { rules: certificateRules, kind: CERTIFICATES });
  },
};

const requests: SubjectKind = {
  resource: 'certificateRequests',
  type: 'X.509',
  format: 'pkcs10',
  sets: REQUEST_SETS,
  rules: REQUEST_RULES,
  open: (octets) => {
    const request = readOrReject('The CSR', () => readCertificationRequest(octets));
    return evaluatorOf(new RequestSubject(request), { rules: requestRules, kind: REQUESTS });
  },
};

const keys: SubjectKind = {
  resource: 'keys',
  type: 'Public',
  format: 'SubjectPublicKeyInfo',
  sets: KEY_SETS,
  rules: KEY_RULES,
  open: (octets) => {
    const key = readOrReject('The key', () => parsePublicKey(octets));
    return evaluatorOf(key, { rules: keyRules, kind: KEYS });
  },
};

export const subjectKinds: readonly SubjectKind[] = [certificates, requests, keys];
