// What a rule is: a row of facts about a requirement, and a function that decides whether an object meets it. The types
// depend neither on certificates nor on the source of a rule: rules about requests and keys have the same shape.

/**
 * `error`: the source says must, or the object is unsafe. `warning`: the source says should, or common software refuses
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

/** What is wrong where the facts of the rule do not tell; each member replaces the rule's own. */
export interface Violation {
  /** A sentence. */
  readonly message?: string;
  readonly field?: string;
  /** The offending value as text. */
  readonly value?: string;
}

/** A requirement on objects of one kind. `Role` names the roles that such an object can have. */
export interface Rule<
  Subject,
  Role extends string = string,
  Field extends string = string,
  Parameters extends object = object,
> {
  /** The requirement, in one sentence. */
  readonly demand: string;
  /** What to do about a violation, in one sentence. */
  readonly remedy: string;
  /** The clause of the requirement: `RFC 5280 §4.1.2.2`. */
  readonly citation: string;
  readonly severity: Severity;
  /** What it judges: `subject`, `extensions.keyUsage.critical`. */
  readonly field: Field;
  /** The roles of which an object must have at least one; absent when the rule applies to every object. */
  readonly appliesTo?: readonly Role[];
  /** Absent when the rule applies to objects of any date. */
  readonly effective?: EffectiveDates;
  /** The parameters of the requirement, with their default values. */
  readonly parameters?: Parameters;
  /**
   * Whether the object violates the rule, and how; a text is the message. Throws `PkiError` when the rule cannot judge
   * the object. A method, so that rules with different parameters fit in one table.
   */
  violates(subject: Subject, parameters: Parameters): Violation | boolean | string | undefined;
}

/** Rules by identifier. Identifiers are stable, `kebab-case`, and unique across all sets. */
export type RuleTable<Subject, Role extends string = string, Field extends string = string> = Readonly<
  Record<string, Rule<Subject, Role, Field>>
>;

/** The rules of one source. */
export interface RuleSet<Subject, Role extends string = string, Field extends string = string> {
  /** Stable, `kebab-case`. */
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly rules: RuleTable<Subject, Role, Field>;
}

/** What `judge` must know about a kind of object. */
export interface ObjectKind<Subject, Role extends string = string> {
  /** Whether an object has a role; at most 31 roles. Throws `PkiError` when the object does not tell. */
  readonly roles: Readonly<Record<Role, (subject: Subject) => boolean>>;
  /** The instant that decides which rules are in effect, in milliseconds since 1970. */
  readonly dateMs: (subject: Subject) => number;
  /** A field as text. May throw `PkiError`. */
  readonly valueAt: (subject: Subject, field: string) => string | undefined;
}
