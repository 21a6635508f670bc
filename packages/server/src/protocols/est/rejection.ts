// EST rejections: an HTTP status with a plain-text explanation (RFC 7030 §4.2.3).
import { renderRestError } from '../../platform/http/render-error.ts';
import { isAppError, retryAfterOf, type AppError } from '../../kernel/errors.ts';

export class EstRejection extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'EstRejection';
    this.status = status;
    this.headers = headers;
  }
}

/** Rejection of an enrollment that is already in the request list. */
export class RecordedRejection extends EstRejection {}

/** Creates a rejection that informs clients that they can authenticate with a password (RFC 7030 §3.2.3). */
export const unauthenticated = (message: string): EstRejection =>
  new EstRejection(401, message, { 'www-authenticate': 'Basic realm="EST", charset="UTF-8"' });

/** Converts a rejection from issuance into a bad request. */
export function toEstRejection(error: AppError | EstRejection): EstRejection {
  if (!isAppError(error)) return error;
  const { status } = renderRestError(error, undefined);
  const retryAfter = retryAfterOf(error);
  return new EstRejection(
    status === 422 ? 400 : status,
    error.message,
    retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  );
}
