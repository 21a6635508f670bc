// The REST form of errors: a complete map from error catalog codes to statuses and to the codes that existing clients
// know.
import { STATUS_CODES, validateHeaderValue } from 'node:http';
import type { FastifyReply } from 'fastify';
import { AppError, retryAfterOf, type ErrorCode } from '../../kernel/errors.ts';
import { findOutage } from '../database/database-errors.ts';
import { isObject } from '../../kernel/is-object.ts';

interface RestForm {
  readonly status: number;
  /** Code on the wire; clients show the text only if both `code` and `message` are present. */
  readonly code: string;
}

export const restForms: Readonly<Record<ErrorCode, RestForm>> = {
  unauthenticated: { status: 401, code: 'UNAUTHORIZED' },
  access_denied: { status: 403, code: 'ACCESS_DENIED' },
  credential_not_accepted: { status: 403, code: 'ACCESS_DENIED' },
  sign_in_refused: { status: 401, code: 'UNAUTHORIZED' },
  object_not_found: { status: 404, code: 'ENTITY_NOT_FOUND' },
  route_not_found: { status: 404, code: 'NOT_FOUND' },
  method_not_allowed: { status: 405, code: 'BAD_REQUEST' },
  already_exists: { status: 400, code: 'ENTITY_NOT_UNIQUE' },
  malformed_request: { status: 400, code: 'BAD_REQUEST' },
  invalid_fields: { status: 400, code: 'INVALID_FORMAT' },
  rejected_by_rules: { status: 422, code: 'INVALID_ACTION' },
  invalid_state: { status: 422, code: 'INVALID_ACTION' },
  body_too_large: { status: 413, code: 'BAD_REQUEST' },
  headers_too_large: { status: 431, code: 'BAD_REQUEST' },
  request_too_slow: { status: 408, code: 'BAD_REQUEST' },
  unsupported_media_type: { status: 415, code: 'BAD_REQUEST' },
  host_not_served: { status: 421, code: 'BAD_REQUEST' },
  https_only: { status: 421, code: 'BAD_REQUEST' },
  too_many_requests: { status: 429, code: 'BAD_REQUEST' },
  certificate_operation: { status: 400, code: 'INVALID_ACTION' },
  not_supported: { status: 501, code: 'NOT_IMPLEMENTED' },
  connector_unreachable: { status: 503, code: 'CONNECTOR_UNREACHABLE' },
  connector_failed: { status: 502, code: 'CONNECTOR_FAILED' },
  connector_refused: { status: 400, code: 'CONNECTOR_REFUSED' },
  unavailable: { status: 503, code: 'UNAVAILABLE' },
  internal: { status: 500, code: 'INTERNAL_SERVER_ERROR' },
};

/** A dead connection is replaced, and a stopped server restarted, within a few seconds. */
const RETRY_AFTER_S = 5;

export interface RenderedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Renders an error for an operation. Business validation errors are returned as a list of strings if the operation
 * documents 422, and otherwise as `{code, message}` with 400, so that no client receives an undocumented status.
 */
export function renderRestError(error: AppError, documented: readonly number[] | undefined): RenderedError {
  const { status, code } = restForms[error.code];
  const message = error.message;
  const uuid = error.objectUuid === undefined ? {} : { uuid: error.objectUuid };
  if (status === 422) {
    if (documented && !documented.includes(422)) return json(400, { code, message, ...uuid });
    const problems = 'problems' in error.parameters ? error.parameters.problems : [message];
    return json(422, problems);
  }
  if (status === 403) {
    return {
      status,
      headers: { 'content-type': 'application/problem+json' },
      body: { statusCode: status, code, message },
    };
  }
  if (status === 401) {
    return json(status, { code, message }, { 'www-authenticate': 'Bearer realm="signetry"' });
  }
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) return json(status, { code, message }, { 'retry-after': retryAfter });
  if (error.code === 'unavailable') {
    return json(status, { code, message, ...uuid }, { 'retry-after': String(RETRY_AFTER_S) });
  }
  if (error.code === 'method_not_allowed' && 'allowed' in error.parameters) {
    return json(status, { code, message }, { allow: error.parameters.allowed.join(', ') });
  }
  return json(status, { code, message, ...uuid });
}

/** Whether the cause should be logged. A database outage is logged once elsewhere. */
export const isFault = (error: AppError): boolean =>
  error.code === 'internal' || (error.code === 'unavailable' && findOutage(error)?.outage === 'tooSlow');

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RenderedError => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body,
});

/** Data about a rejected request. */
export interface RejectedRequest {
  readonly id: string;
  /** Body size limit in bytes, if the request has a route. */
  readonly routeOptions: { readonly bodyLimit: number; readonly config?: { readonly accepts?: string } };
}

/** Returns the media type of bodies that the route accepts. Routes of protocols name theirs. */
export const acceptedMedia = ({ routeOptions }: Pick<RejectedRequest, 'routeOptions'>): string =>
  routeOptions.config?.accepts ?? 'application/json';

/** Converts Fastify's own errors (parsers, limits) to catalog errors; unknown errors become internal errors. */
export function asAppError(error: unknown, request: RejectedRequest): AppError {
  if (error instanceof AppError) return error;
  const outage = findOutage(error);
  if (outage) return new AppError('unavailable', { reason: outage.reason }, { cause: error });
  const { statusCode, code } = (isObject(error) ? error : {}) as {
    statusCode?: number;
    code?: string;
  }; // Fastify sets these members on its errors.
  // The client disconnected while its body was being read, or was disconnected because it was too slow.
  if (statusCode === 400 && code === 'ECONNRESET')
    return new AppError(
      'malformed_request',
      { problem: 'the connection was closed before the end of the body' },
      { cause: error },
    );
  if (statusCode === 413) {
    const { bodyLimit: limitBytes } = request.routeOptions;
    return new AppError('body_too_large', { limitBytes }, { cause: error });
  }
  if (statusCode === 415) {
    const accepted = acceptedMedia(request);
    return new AppError('unsupported_media_type', { received: `other than ${accepted}`, accepted }, { cause: error });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500 && code?.startsWith('FST_')) {
    return new AppError(
      'malformed_request',
      { problem: STATUS_CODES[statusCode]?.toLowerCase() ?? 'not acceptable' },
      { cause: error },
    );
  }
  return new AppError('internal', { requestId: request.id }, { cause: error });
}

/** Removes headers that cannot be sent, so that they do not also prevent the error response from being sent. */
export function dropUnsendableHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    const isSendable = [value].flat().every((text) => canBeSent(name, text));
    if (!isSendable) reply.removeHeader(name);
  }
}

function canBeSent(name: string, value: unknown): boolean {
  try {
    validateHeaderValue(name, value as string); // Accepts and checks any value at run time.
    return true;
  } catch {
    return false;
  }
}
