// Definition of a rule: metadata about a requirement, and a function that decides whether an object meets it. The types
// are independent of certificates and of the rule's source: rules for CSRs and keys have the same structure.

/**
 * `error`: the source says MUST, or the object is unsafe. `warning`: the source says SHOULD, or common software rejects
 * the object. `notice`: a convention.
 */
export type Severity = 'error' | 'warning' | 'notice';

/**
 * First day on which a rule is in effect, and first day on which it no longer is, as `YYYY-MM-DD`, from midnight UTC.
 */
export interface EffectiveDates {
  readonly from?: string;
  readonly until?: string;
}

/** Details of a violation. Each member overrides the corresponding member of the rule. */
export interface Violation {
  /** A sentence. */
  readonly message?: string;
  readonly field?: string;
  /** The offending value as text. */
  readonly value?: string;
}

/** A requirement for objects of one type. `Role` lists the roles that such an object can have. */
export interface Rule<
  Subject,
  Role extends string = string,
  Field extends string = string,
  Parameters extends object = object,
> {
  /** The requirement, in one sentence. */
  readonly demand: string;
  /** How to fix a violation, in one sentence. */
  readonly remedy: string;
  /** The clause that contains the requirement, for example `RFC 5280 §4.1.2.2`. */
  readonly citation: string;
  readonly severity: Severity;
  /** The field that the rule checks, for example `subject` or `extensions.keyUsage.critical`. */
  readonly field: Field;
  /**
   * Roles to which the rule applies; an object must have at least one of them. If absent, the rule applies to all
   * objects.
   */
  readonly appliesTo?: readonly Role[];
  /** If absent, the rule applies regardless of the object's date. */
  readonly effective?: EffectiveDates;
  /** Parameters of the requirement, with their default values. */
  readonly parameters?: Parameters;
  /**
   * Returns whether and how the object violates the rule; a string is used as the message. Throws `PkiError` if the
   * rule cannot evaluate the object. Declared as a method so that rules with different parameters fit in one table.
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

/** The properties of an object type that `judge` needs. */
export interface ObjectKind<Subject, Role extends string = string> {
  /**
   * Functions, by role, that return whether an object has the role; at most 31 roles. They throw `PkiError` if the role
   * cannot be determined.
   */
  readonly roles: Readonly<Record<Role, (subject: Subject) => boolean>>;
  /** The time that determines which rules are in effect, in milliseconds since 1970. */
  readonly dateMs: (subject: Subject) => number;
  /** Returns a field as text. May throw `PkiError`. */
  readonly valueAt: (subject: Subject, field: string) => string | undefined;
}
