// The server's only error type. The code comes from the closed catalog below and has typed parameters; the message
// states what was rejected, for which object, and what to do. Transports define statuses and wire codes.
import type { Action, Resource } from '@signetry/contract';

/**
 * Error catalog: maps each code to a message created from typed parameters. Messages never contain fetched content or
 * secrets.
 */
export const errorCatalog = {
  unauthenticated: (p: { reason: string }) => `Sign in or send a valid credential: ${p.reason}.`,
  access_denied: (p: { action: Action; resource: Resource; name?: string }) =>
    `You need the permission ${p.action} on ${p.resource}${p.name ? ` (${p.name})` : ''}. An administrator can grant it through a role.`,
  credential_not_accepted: (p: { what: string; accepted: string }) => `${p.what} requires ${p.accepted}; this credential is not accepted.`,
  sign_in_refused: (p: { what: string; help: string }) => `${p.what} cannot be used to sign in here; ${p.help}.`,
  object_not_found: (p: { what: string; id: string; at?: string }) =>
    p.at ?? `${p.what} ${p.id} does not exist or is not visible to you.`,
  route_not_found: (p: { method: string; path: string }) => `There is no operation ${p.method} ${p.path}.`,
  method_not_allowed: (p: { method: string; path: string; allowed: readonly string[] }) =>
    `${p.path} does not accept ${p.method}; it accepts ${p.allowed.join(', ')}.`,
  already_exists: (p: { what: string; name: string }) => `${p.what} ${p.name} already exists; names and contents must be unique.`,
  malformed_request: (p: { problem: string }) => `Cannot parse the request: ${p.problem}.`,
  invalid_fields: (p: { problems: readonly string[] }) => p.problems.join('; '),
  rejected_by_rules: (p: { problems: readonly string[] }) => p.problems.join('; '),
  invalid_state: (p: { what: string; name: string; state: string; needed: string }) =>
    `${p.what} ${p.name} is ${p.state}; this operation requires ${p.needed}.`,
  body_too_large: (p: { limitBytes: number }) => `The request body is larger than ${p.limitBytes} bytes.`,
  headers_too_large: (p: { limitBytes: number }) =>
    `The request line and headers are larger than ${p.limitBytes} bytes in total.`,
  request_too_slow: (p: { headersS: number; wholeS: number }) =>
    `The request was too slow: its headers must arrive within ${p.headersS} s, the whole request within ${p.wholeS} s.`,
  unsupported_media_type: (p: { received: string; accepted: string }) =>
    `A request body of type ${p.received} is not accepted; send uncompressed ${p.accepted}.`,
  host_not_served: (p: { host: string }) =>
    `This server does not serve the host ${p.host}. Set the public URL (--public-url) to the name that clients use.`,
  https_only: (p: { url: string }) =>
    `This listener serves only CRLs, OCSP and CA certificates (--http-serves revocation). Use ${p.url}.`,
  too_many_requests: (p: { what: string; retryAfterS: number }) =>
    `Too many ${p.what}; try again in ${p.retryAfterS} s.`,
  certificate_operation: (p: { problem: string }) => p.problem,
  not_supported: (p: { what: string }) => `${p.what} is not supported.`,
  connector_unreachable: (p: { connector: string; reason: string }) =>
    `Connector ${p.connector} cannot be reached: ${p.reason}. Check that the connector is running and that its URL is correct.`,
  connector_failed: (p: { connector: string; problem: string }) => `Connector ${p.connector} failed: ${p.problem}.`,
  connector_refused: (p: { connector: string; status: number; problem: string }) =>
    `Connector ${p.connector} rejected the request (${p.status}): ${p.problem}.`,
  unavailable: (p: { reason: string }) => `The platform cannot do this now: ${p.reason}.`,
  internal: (p: { requestId: string }) => `Internal error. Include request ID ${p.requestId} when you report it.`,
} as const satisfies Record<string, (parameters: never) => string>; // prettier-ignore

export type ErrorCode = keyof typeof errorCatalog;
export type ErrorParameters<Code extends ErrorCode> = Parameters<(typeof errorCatalog)[Code]>[0];

/**
 * A rejection or failure with a code from the catalog. `problems` contains the individual problems if there are
 * multiple.
 */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly parameters: ErrorParameters<Code>;
  /** Object that exists even though the operation failed, e.g. a certificate stored as failed. */
  readonly objectUuid: string | undefined;

  constructor(code: Code, parameters: ErrorParameters<Code>, options: { cause?: unknown; objectUuid?: string } = {}) {
    // The code determines its parameter type.
    const message = errorCatalog[code] as (parameters: ErrorParameters<Code>) => string;
    super(message(parameters), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.parameters = parameters;
    this.objectUuid = options.objectUuid;
  }
}

export const isAppError = (error: unknown, code?: ErrorCode): error is AppError =>
  error instanceof AppError && (code === undefined || error.code === code);

/** Returns the number of seconds after which a rejected caller can retry, for `Retry-After` (RFC 9110 §10.2.3). */
export const retryAfterOf = (error: AppError): string | undefined =>
  'retryAfterS' in error.parameters ? String(error.parameters.retryAfterS) : undefined;

/** Creates an error for business rule violations, returned as the API's list of strings. */
export const rejected = (...problems: string[]) => new AppError('rejected_by_rules', { problems });

/** Creates an error that a protocol server cannot return in its protocol's format: status 400 with a message. */
export const nonProtocolError = (problem: string) => new AppError('certificate_operation', { problem });

/**
 * Returns the results of multiple checks on one request. Their problems are reported together, so that the caller can
 * fix them all in one attempt; any other failure takes precedence.
 */
export async function evaluateTogether<const Judgements extends readonly Promise<unknown>[]>(
  ...judgements: Judgements
): Promise<{ -readonly [Place in keyof Judgements]: Awaited<Judgements[Place]> }> {
  const settled = await Promise.allSettled(judgements);
  const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const complaints = failures.filter((failure) => isAppError(failure, 'rejected_by_rules'));
  if (complaints.length < failures.length) throw failures.find((failure) => !complaints.includes(failure as AppError));
  if (complaints.length > 0) throw rejected(...complaints.flatMap(problemsOf));
  // All promises are fulfilled at this point.
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as {
    -readonly [Place in keyof Judgements]: Awaited<Judgements[Place]>;
  };
}

export const notFound = (what: string, id: string) => new AppError('object_not_found', { what, id });

/** Returns the result of a query; throws `object_not_found` if it is undefined. */
export function requireFound<Value>(value: Value | undefined, what: string, id: string): Value {
  if (value === undefined) throw notFound(what, id);
  return value;
}

/** Returns the individual problems if the error contains multiple. */
export const problemsOf = (error: AppError): readonly string[] =>
  'problems' in error.parameters ? error.parameters.problems : [error.message];
