// Words and constructions that docs/guide/style-and-terms.md replaces, as far as a program can find them.

export interface WordPattern {
  /** Number of the rule in the style guide; 0: spelling and notation. */
  readonly rule: number;
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly better: string;
}

export const WORD_PATTERNS: readonly WordPattern[] = [
  {
    rule: 1,
    pattern:
      /(?<!connections? (?:was |is )?|accept or )\brefus(?:e|es|ed|als?|ing)\b(?! (?:the |new |a )?(?:connections?|query|to start|ones))/i,
    better: 'reject, rejection',
  },
  { rule: 1, pattern: /\b(?:is|are|was|were|be|been) told\b(?! (?:to|when)\b)/i, better: 'notified, reported' },
  {
    rule: 1,
    pattern: /\btaken (?:back|out|into use|in\b(?! (?:to|order|numerical)\b))/i,
    better: 'undone, removed, imported',
  },
  { rule: 1, pattern: /\bhanded out\b/i, better: 'created, issued' },
  { rule: 1, pattern: /\bsays (?:what|that|which|no)\b/i, better: 'states, reports' },
  {
    rule: 2,
    pattern: /\bwhoever\b|^(?:what|which)ever\b/i,
    better: 'name the subject: users who, the value that, any',
  },
  { rule: 2, pattern: /(?<!CN=)\bsomebody\b|^nobody\b/i, better: 'no user, a user, someone else' },
  {
    rule: 2,
    pattern: /^What (?:is|are|was|were|has|it|they) .*\b(?:is|are|goes|stays|remains|comes|counts|must)\b(?!.*\?$)/,
    better: 'name the subject',
  },
  { rule: 3, pattern: /\bcall-backs?\b/i, better: 'callback' },
  { rule: 3, pattern: /\brehears(?:e|es|ed|als?)\b/i, better: 'simulate, simulation' },
  { rule: 3, pattern: /\b(?:audit|log|chain) ends?\b(?! (?:with|in|earlier)\b)/i, better: 'log head' },
  { rule: 4, pattern: /\bin force\b/i, better: 'active' },
  { rule: 4, pattern: /\bput off\b/i, better: 'postpone' },
  { rule: 4, pattern: /\bin words\b/i, better: 'with a message, readable' },
  { rule: 4, pattern: /\bby itself\b/i, better: 'automatically' },
  {
    rule: 5,
    pattern: /^(?:Of (?:a|an|the|its|what)|Those (?:of|that|who|which)|Nothing of) /,
    better: 'start with a noun or a verb',
  },
  { rule: 7, pattern: /\bnone of (?:our|its|their|your) business\b/i, better: 'ignored' },
  { rule: 8, pattern: /\banew\b/i, better: 'again' },
  { rule: 8, pattern: /\bmeanwhile\b/i, better: 'in the meantime' },
  { rule: 8, pattern: /(?<!\b(?:all|multiple|many|two) .*)\bat once\b/i, better: 'immediately, simultaneously' },
  { rule: 8, pattern: /, too[.;:!]?$/i, better: 'also, earlier in the sentence' },
  { rule: 8, pattern: /\byoungest\b/i, better: 'newest' },
  { rule: 8, pattern: /\bbeside\b/i, better: 'next to, in addition to' },
  {
    rule: 8,
    pattern: /(?<!there )\b(?:is|are|was|were) no (?=[a-z])(?!exception|longer|more|match|reason|substitute|need|use)/i,
    better: 'is not a, are not',
  },
  { rule: 9, pattern: /(?<!on )\bdemand(?:s|ed|ing)?\b(?! for)/i, better: 'require' },
  { rule: 0, pattern: /\benrol(?:s|ments?)?\b/i, better: 'enroll, enrollment' },
  { rule: 0, pattern: /\b\w*(?:olour|ehaviour|eighbour|avour|onour)\w*/i, better: 'American spelling' },
  {
    rule: 0,
    pattern: /\b(?:\w+is(?:ation|ations)|recognis\w+|authoris\w+|initialis\w+|normalis\w+)\b(?<!organisation)/i,
    better: 'American spelling: -ize',
  },
  { rule: 0, pattern: /\b(?:cancelled|cancelling|centre|licence|judgement|catalogue)\b/i, better: 'American spelling' },
  { rule: 0, pattern: /—/, better: 'a comma, a colon or two sentences' },
];
