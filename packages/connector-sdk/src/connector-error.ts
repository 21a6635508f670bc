// The error that a connector throws to reject a call. Any other error that a handler throws is an internal connector
// error: 500.

/** 503 means that nothing was done; the message states what must happen first. Any failure after an effect is 500. */
export type ConnectorErrorStatus = 400 | 401 | 404 | 422 | 500 | 501 | 503;

export class ConnectorError extends Error {
  readonly status: ConnectorErrorStatus;
  /** Problems, one entry each; the body of a 422 response. */
  readonly problems: readonly string[];
  /** For a 503: minimum delay before a retry (RFC 9110 §10.2.3). */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: ConnectorErrorStatus, message: string | readonly string[], options: ConnectorErrorOptions = {}) {
    const problems = typeof message === 'string' ? [message] : message;
    super(problems.join(' '), options);
    this.name = 'ConnectorError';
    this.status = status;
    this.problems = problems;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export interface ConnectorErrorOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number | undefined;
}

/** The call is well-formed but cannot be performed (422); each problem states what is wrong and how to fix it. */
export const rejected = (...problems: readonly string[]): ConnectorError => new ConnectorError(422, problems);

/** Rejects the call with a list of problems, unless it is empty. */
export function rejectIf(problems: readonly string[]): void {
  if (problems.length > 0) throw rejected(...problems);
}

export const notFound = (what: string, id: string): ConnectorError =>
  new ConnectorError(404, `${what} ${id} does not exist.`);

/** The call itself is malformed (400). */
export const malformed = (message: string, options?: ErrorOptions): ConnectorError =>
  new ConnectorError(400, message, options);

/** Nothing was done, and something outside the connector must happen first (503): platforms can retry later. */
export const unavailable = (message: string, options?: ConnectorErrorOptions): ConnectorError =>
  new ConnectorError(503, message, options);

export const isConnectorError = (error: unknown): error is ConnectorError => error instanceof ConnectorError;
