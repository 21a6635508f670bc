// What was found about the values of a credential.
export interface Judgement {
  /** It would not work: refused. */
  readonly problems: readonly string[];
  /** It works now, or nobody can tell: said in the log. */
  readonly warnings: readonly string[];
}
