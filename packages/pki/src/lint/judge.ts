// Applies rules to objects. What decides which rules apply to an object is found once for all of them: its roles as
// bits, and its date.
import { PkiError } from '../errors.ts';
import type { ObjectKind, Rule, RuleSet, Severity, Violation } from './rule.ts';

/** A rule ready to be applied. Every field is there, absent ones too: walking over objects of one shape is faster. */
export interface ListedRule<Subject> extends Rule<Subject> {
  readonly id: string;
  /** Code of its set. */
  readonly set: string;
  /** The roles it applies to; 0 for all objects. */
  readonly roleBits: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The rules of sets, in their order. */
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

/** What decides which rules apply to an object. */
export interface Situation {
  /** Bits of the roles that it has. */
  readonly held: number;
  /** Bits of the roles of which it does not tell, because what tells it is malformed. */
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

/** The result of a rule for an object. `error`: the object is too malformed for this rule to judge it. */
export type RuleResult =
  | { readonly status: 'ok' }
  | { readonly status: 'notOk'; readonly violation: Violation }
  | { readonly status: 'notApplicable' }
  | { readonly status: 'error'; readonly message: string };

const OK: RuleResult = { status: 'ok' };
const NOT_APPLICABLE: RuleResult = { status: 'notApplicable' };
const UNCLEAR: RuleResult = { status: 'error', message: 'A part that decides whether the rule applies is malformed.' };
const NOTHING_MORE: Violation = {};

/** Applies one rule to one object. `parameters` replace the rule's own values, name by name. */
export function judge<Subject>(
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
  /** Code of the set that the rule is in. */
  readonly set: string;
  readonly citation: string;
  readonly severity: Severity;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  readonly field: string;
  /** The offending value, at most 256 characters of it; absent when the field is. */
  readonly value?: string;
}

const MAX_VALUE = 256;

/** Findings about an object, in the order of the rules; empty when there are none. */
export function findingsOf<Subject>(
  subject: Subject,
  options: {
    readonly rules: readonly ListedRule<Subject>[];
    readonly kind: ObjectKind<Subject>;
    /** Values that replace a rule's own, by the identifier of the rule. */
    readonly parameters?: Readonly<Record<string, object | undefined>> | undefined;
  },
): LintFinding[] {
  const { rules, kind, parameters } = options;
  const situation = situationOf(subject, kind);
  const findings: LintFinding[] = [];
  for (const rule of rules) {
    const verdict = judge(rule, subject, { situation, parameters: parameters?.[rule.id] });
    // A rule that cannot judge malformed octets reports nothing: `extension-malformed` reports them once.
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
  const value = violation.value ?? readable(() => valueAt(field));
  const facts = { rule: id, set, citation, severity, message, remedy, field };
  return value === undefined ? facts : { ...facts, value: cut(value) };
}

const cut = (text: string): string => (text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text);

function readable(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PkiError) return undefined; // the message says what is malformed
    throw error;
  }
}
