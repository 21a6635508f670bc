// What EST refuses, as plain text in words with the status of HTTP (RFC 7030 §4.2.3).
import { renderRestError } from '../../platform/http/render-error.ts';
import { isAppError, retryAfterOf, type AppError } from '../../kernel/errors.ts';

export class EstRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'EstRefusal';
    this.status = status;
    this.headers = headers;
  }
}

/** Clients with a password are to know that they can send one (RFC 7030 §3.2.3). */
export const unauthenticated = (message: string): EstRefusal =>
  new EstRefusal(401, message, { 'www-authenticate': 'Basic realm="EST", charset="UTF-8"' });

/** What the issuing path refuses is a bad request to the protocol. */
export function asEstRefusal(error: AppError | EstRefusal): EstRefusal {
  if (!isAppError(error)) return error;
  const { status } = renderRestError(error, undefined);
  const retryAfter = retryAfterOf(error);
  return new EstRefusal(
    status === 422 ? 400 : status,
    error.message,
    retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  );
}
