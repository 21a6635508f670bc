// What a rule is: a row of facts about a requirement, and a function that decides whether an object meets it. The types
// depend neither on certificates nor on the source of a rule, so that rules about requests or keys have the same shape.
import { PkiError } from '../errors.ts';

/**
 * `error`: must not be signed. `warning`: the standard allows it, but advises against it, or common software refuses
 * it. `notice`: a matter of convention.
 */
export type Severity = 'error' | 'warning' | 'notice';

/**
 * The first day on which a rule is in effect and the first on which it no longer is, `YYYY-MM-DD`, from midnight UTC.
 */
export interface EffectiveDates {
  readonly from?: string;
  readonly until?: string;
}

/** A requirement on objects of one kind. `Role` names the roles that such an object can have. */
export interface Rule<Subject, Role extends string = string, Parameters extends object = object> {
  /** The requirement, in one sentence. */
  readonly demand: string;
  /** The clause of the requirement: `RFC 5280 §4.1.2.2`. */
  readonly citation: string;
  readonly severity: Severity;
  /** The roles of which an object must have at least one; absent when the rule applies to every object. */
  readonly appliesTo?: readonly Role[];
  /** Absent when the rule applies to objects of any date. */
  readonly effective?: EffectiveDates;
  /** The parameters of the requirement, with their default values. */
  readonly parameters?: Parameters;
  /**
   * Whether the object violates the rule; a sentence where the requirement alone does not tell what is wrong. Throws
   * `PkiError` when the rule cannot judge the object. A method, so that rules with different parameters fit in one
   * table.
   */
  violates(subject: Subject, parameters: Parameters): boolean | string | undefined;
}

/** Rules on one subject, by identifier. Identifiers are stable, `kebab-case`, and unique across all groups. */
export interface RuleGroup<Subject, Role extends string = string> {
  readonly name: string;
  readonly description: string;
  readonly rules: Readonly<Record<string, Rule<Subject, Role>>>;
}

/** What `judge` must know about a kind of object. */
export interface ObjectKind<Subject, Role extends string = string> {
  /** Whether an object has a role. */
  readonly roles: Readonly<Record<Role, (subject: Subject) => boolean>>;
  /** The instant that decides which rules are in effect, in milliseconds since 1970. */
  readonly dateMs: (subject: Subject) => number;
}

/** The result of a rule for an object. `error`: the object is too malformed for this rule to judge it. */
export type Verdict =
  | { readonly status: 'ok' }
  | { readonly status: 'notOk'; readonly message: string }
  | { readonly status: 'notApplicable' }
  | { readonly status: 'error'; readonly message: string };

const OK: Verdict = { status: 'ok' };
const NOT_APPLICABLE: Verdict = { status: 'notApplicable' };

/** Applies one rule to one object. `parameters` replace the rule's own values, name by name. */
export function judge<Subject, Role extends string>(
  rule: Rule<Subject, Role>,
  subject: Subject,
  { kind, parameters }: { readonly kind: ObjectKind<Subject, Role>; readonly parameters?: object | undefined },
): Verdict {
  try {
    if (rule.appliesTo?.some((role) => kind.roles[role](subject)) === false) return NOT_APPLICABLE;
    if (rule.effective !== undefined && !isInEffect(rule.effective, kind.dateMs(subject))) return NOT_APPLICABLE;
    const violation = rule.violates(subject, valuesOf(rule.parameters, parameters));
    if (violation === undefined || violation === false) return OK;
    return { status: 'notOk', message: violation === true ? rule.demand : violation };
  } catch (error) {
    if (error instanceof PkiError) return { status: 'error', message: error.message };
    throw error;
  }
}

const NO_VALUES = {};

function valuesOf(own: object | undefined, given: object | undefined): object {
  return own === undefined ? NO_VALUES : given === undefined ? own : { ...own, ...given };
}

function isInEffect({ from, until }: EffectiveDates, dateMs: number): boolean {
  return (from === undefined || Date.parse(from) <= dateMs) && (until === undefined || dateMs < Date.parse(until));
}
