// Microsoft Intune errors: a rejection, or no usable response.

/** Intune processed the request and rejected it. */
export class IntuneRejection extends Error {
  /** Intune error code, e.g. `ChallengeExpired`. */
  readonly code: string;

  constructor(code: string) {
    super(`Microsoft Intune rejected the request: ${code}`);
    this.name = 'IntuneRejection';
    this.code = code;
  }
}

/**
 * Thrown if a Microsoft service returned no usable response. The message starts with the name of the service, has no
 * final period, and never repeats the content of a response.
 */
export class IntuneFault extends Error {
  /**
   * True if the service could not be reached or failed temporarily, so that the same call may succeed a moment later.
   */
  readonly passes: boolean;

  constructor(words: string, { passes = false, cause }: { readonly passes?: boolean; readonly cause?: unknown } = {}) {
    super(words, cause === undefined ? undefined : { cause });
    this.name = 'IntuneFault';
    this.passes = passes;
  }
}
