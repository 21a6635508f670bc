// Applies rules to objects. The values that determine which rules apply (roles as a bit mask, and the date) are
// computed once for each object.
import { PkiError } from '../errors.ts';
import type { ObjectKind, Rule, RuleSet, Severity, Violation } from './rule.ts';

/** A rule ready to be applied. All fields are always present: iterating over objects of the same shape is faster. */
export interface ListedRule<Subject> extends Rule<Subject> {
  readonly id: string;
  /** Code of the rule set to which it belongs. */
  readonly set: string;
  /** Bit mask of roles to which the rule applies; 0 means all objects. */
  readonly roleBits: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Returns the rules of these sets, in order. */
export function listRules<Subject, Role extends string, Field extends string>(
  sets: readonly RuleSet<Subject, Role, Field>[],
  kind: ObjectKind<Subject, Role>,
): ListedRule<Subject>[] {
  const roles = Object.keys(kind.roles);
  const bitsOf = (names: readonly string[] = []): number =>
    names.reduce((bits, name) => bits | (1 << roles.indexOf(name)), 0);
  return sets.flatMap(({ code, rules }) =>
    Object.entries<Rule<Subject, Role, Field>>(rules).map(([id, rule]) => ({
      id,
      set: code,
      demand: rule.demand,
      remedy: rule.remedy,
      citation: rule.citation,
      severity: rule.severity,
      field: rule.field,
      appliesTo: rule.appliesTo ?? [],
      effective: rule.effective ?? {},
      parameters: rule.parameters ?? NO_VALUES,
      roleBits: bitsOf(rule.appliesTo),
      fromMs: rule.effective?.from === undefined ? -Infinity : Date.parse(rule.effective.from),
      untilMs: rule.effective?.until === undefined ? Infinity : Date.parse(rule.effective.until),
      violates: (subject: Subject, values: object) => rule.violates(subject, values),
    })),
  );
}

const NO_VALUES = {};

/** The values that determine which rules apply to an object. */
export interface Situation {
  /** Bit mask of the object's roles. */
  readonly held: number;
  /** Bit mask of roles that cannot be determined because the object is malformed. */
  readonly unclear: number;
  readonly dateMs: number;
}

export function situationOf<Subject>(subject: Subject, kind: ObjectKind<Subject>): Situation {
  let held = 0;
  let unclear = 0;
  let bit = 1;
  for (const has of Object.values(kind.roles)) {
    try {
      if (has(subject)) held |= bit;
    } catch (error) {
      if (!(error instanceof PkiError)) throw error;
      unclear |= bit;
    }
    bit <<= 1;
  }
  return { held, unclear, dateMs: kind.dateMs(subject) };
}

/** Result of applying a rule to an object. `error`: the object is too malformed for the rule to be evaluated. */
export type RuleResult =
  | { readonly status: 'ok' }
  | { readonly status: 'notOk'; readonly violation: Violation }
  | { readonly status: 'notApplicable' }
  | { readonly status: 'error'; readonly message: string };

const OK: RuleResult = { status: 'ok' };
const NOT_APPLICABLE: RuleResult = { status: 'notApplicable' };
const UNCLEAR: RuleResult = {
  status: 'error',
  message: 'Cannot determine whether the rule applies: the relevant part is malformed.',
};
const NOTHING_MORE: Violation = {};

/** Applies a rule to an object. `parameters` override the rule's own values by name. */
export function evaluate<Subject>(
  rule: ListedRule<Subject>,
  subject: Subject,
  { situation, parameters }: { readonly situation: Situation; readonly parameters?: object | undefined },
): RuleResult {
  if (rule.roleBits !== 0 && (rule.roleBits & situation.held) === 0)
    return (rule.roleBits & situation.unclear) === 0 ? NOT_APPLICABLE : UNCLEAR;
  if (situation.dateMs < rule.fromMs || situation.dateMs >= rule.untilMs) return NOT_APPLICABLE;
  try {
    const own = rule.parameters ?? NO_VALUES;
    const found = rule.violates(subject, parameters === undefined ? own : { ...own, ...parameters });
    if (found === undefined || found === false) return OK;
    if (typeof found === 'object') return { status: 'notOk', violation: found };
    return { status: 'notOk', violation: found === true ? NOTHING_MORE : { message: found } };
  } catch (error) {
    if (error instanceof PkiError) return { status: 'error', message: error.message };
    throw error;
  }
}

export interface LintFinding {
  readonly rule: string;
  /** Code of the rule set that contains the rule. */
  readonly set: string;
  readonly citation: string;
  readonly severity: Severity;
  /** Description of the problem. */
  readonly message: string;
  /** How to fix the problem. */
  readonly remedy: string;
  readonly field: string;
  /** The offending value, truncated to 256 characters; absent if the field is absent. */
  readonly value?: string;
}

const MAX_VALUE = 256;

/** Returns the findings for an object in rule order; empty if there are none. */
export function findingsOf<Subject>(
  subject: Subject,
  options: {
    readonly rules: readonly ListedRule<Subject>[];
    readonly kind: ObjectKind<Subject>;
    /** Values that override a rule's own, by rule identifier. */
    readonly parameters?: Readonly<Record<string, object | undefined>> | undefined;
  },
): LintFinding[] {
  const { rules, kind, parameters } = options;
  const situation = situationOf(subject, kind);
  const findings: LintFinding[] = [];
  for (const rule of rules) {
    const verdict = evaluate(rule, subject, { situation, parameters: parameters?.[rule.id] });
    // A rule that cannot evaluate malformed input reports nothing; `extension-malformed` reports it once.
    if (verdict.status !== 'notOk') continue;
    findings.push(findingOf(rule, verdict.violation, (field) => kind.valueAt(subject, field)));
  }
  return findings;
}

function findingOf<Subject>(
  { id, set, citation, severity, demand, remedy, ...rule }: ListedRule<Subject>,
  violation: Violation,
  valueAt: (field: string) => string | undefined,
): LintFinding {
  const { message = demand, field = rule.field } = violation;
  const value = violation.value ?? readOrUndefined(() => valueAt(field));
  const facts = { rule: id, set, citation, severity, message, remedy, field };
  return value === undefined ? facts : { ...facts, value: cut(value) };
}

const cut = (text: string): string => (text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text);

function readOrUndefined(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PkiError) return undefined; // The message already describes the malformed part.
    throw error;
  }
}
