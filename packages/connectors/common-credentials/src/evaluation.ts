// Result of checking a credential's values.
export interface Evaluation {
  /** Reasons why the credential would not work; it is rejected. */
  readonly problems: readonly string[];
  /** Reasons that are only logged: the credential works for now, or this cannot be determined. */
  readonly warnings: readonly string[];
}
