// Why reading a log stopped, in our own wording: nothing that the log sent is quoted, except numbers.

/**
 * `false`: the log contradicts itself, its signature or its earlier content. `unavailable`: it does not respond, or
 * does not return the required data. `notAllowed`: connections to it are not allowed.
 */
export type LogErrorKind = 'false' | 'unavailable' | 'notAllowed';

export class LogError extends Error {
  readonly kind: LogErrorKind;

  constructor(kind: LogErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LogError';
    this.kind = kind;
  }
}

/** Returns an error for log content that cannot be true. */
export const falseLogError = (message: string): LogError => new LogError('false', message);
