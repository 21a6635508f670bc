// Why a log is not read on, in words of our own: nothing that it sent is in them, but numbers.

/**
 * `false`: what it serves contradicts itself, its signature, or what it served before. `unavailable`: it does not
 * answer, or not with what it has to serve. `notAllowed`: it may not be reached.
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

/** What the log serves cannot be true. */
export const falseLog = (message: string): LogError => new LogError('false', message);
