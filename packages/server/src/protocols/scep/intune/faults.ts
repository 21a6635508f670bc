// What goes wrong with Microsoft Intune: it says no, or gives no usable answer.

/** Intune looked at what it was told or asked, and says no. */
export class IntuneRefusal extends Error {
  /** One of Intune's, e.g. `ChallengeExpired`. */
  readonly code: string;

  constructor(code: string) {
    super(`Microsoft Intune refused it: ${code}`);
    this.name = 'IntuneRefusal';
    this.code = code;
  }
}

/** Words without a full stop that begin with who gave no usable answer. They never repeat what was answered. */
export class IntuneFault extends Error {
  /** The other side was not reached, or failed: the same call may succeed a moment later. */
  readonly passes: boolean;

  constructor(words: string, { passes = false, cause }: { readonly passes?: boolean; readonly cause?: unknown } = {}) {
    super(words, cause === undefined ? undefined : { cause });
    this.name = 'IntuneFault';
    this.passes = passes;
  }
}
