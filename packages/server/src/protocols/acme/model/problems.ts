// ACME errors as problem documents (RFC 8555 §6.7, RFC 7807), and the complete mapping from platform errors to them.
// Error texts state what was rejected and how to fix it; they never contain fetched data.
import type { AcmeProblem as AcmeProblemDto } from '@signetry/contract';
import { JoseError, JWS_ALGORITHMS } from '@signetry/pki';
import { isAppError, retryAfterOf, type AppError, type ErrorCode } from '../../../kernel/errors.ts';
import { problemStatus, type Identifier, type ProblemType, type StoredProblem } from './vocabulary.ts';

const URN = 'urn:ietf:params:acme:error:';

export interface ProblemFacts {
  /** Set if the status differs from the type's default status. */
  readonly status?: number;
  readonly identifier?: Identifier;
  readonly subproblems?: readonly StoredProblem[];
  /** URL with information for humans, for example changed terms of service. */
  readonly instance?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly cause?: unknown;
  /** Reason that only operators see: it would tell the client which keys exist. */
  readonly hiddenReason?: string;
}

/** Error with an ACME problem type. */
export class AcmeRejection extends Error {
  readonly type: ProblemType;
  readonly facts: ProblemFacts;

  constructor(type: ProblemType, detail: string, facts: ProblemFacts = {}) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'AcmeRejection';
    this.type = type;
    this.facts = facts;
  }

  get status(): number {
    return this.facts.status ?? problemStatus[this.type];
  }
}

export const rejection = (type: ProblemType, detail: string, facts?: ProblemFacts): AcmeRejection =>
  new AcmeRejection(type, detail, facts);

/**
 * Unknown objects and objects of other accounts get the same response, so that it does not disclose which identifiers
 * exist.
 */
export const unknownObject = (what: string): AcmeRejection =>
  rejection('malformed', `There is no ${what} with this identifier in your account.`, { status: 404 });

/**
 * Returns the text for multiple problems. Many clients display nothing else, so it starts with the first problem. There
 * must be at least one.
 */
export function detailOfSubproblems([first, ...others]: readonly StoredProblem[]): string {
  const detail = first?.detail ?? '';
  const about = first?.identifier ? `Cannot issue for "${first.identifier.value}": ${detail}` : detail;
  if (others.length === 0) return about;
  return `${about.replace(/\.$/, '')} (and ${others.length} more; see the subproblems).`;
}

const rejectionOf = (problem: StoredProblem): AcmeRejection =>
  rejection(problem.type, problem.detail, {
    ...(problem.identifier ? { identifier: problem.identifier } : {}),
    ...(problem.subproblems ? { subproblems: problem.subproblems } : {}),
  });

interface ErrorForm {
  readonly type: ProblemType;
  readonly status: number;
}

const errorForms: Readonly<Record<ErrorCode, ErrorForm>> = {
  unauthenticated: { type: 'unauthorized', status: 403 },
  access_denied: { type: 'unauthorized', status: 403 },
  credential_not_accepted: { type: 'unauthorized', status: 403 },
  sign_in_refused: { type: 'unauthorized', status: 401 },
  object_not_found: { type: 'malformed', status: 404 },
  route_not_found: { type: 'malformed', status: 404 },
  method_not_allowed: { type: 'malformed', status: 405 },
  already_exists: { type: 'malformed', status: 400 },
  malformed_request: { type: 'malformed', status: 400 },
  invalid_fields: { type: 'malformed', status: 400 },
  rejected_by_rules: { type: 'malformed', status: 400 },
  invalid_state: { type: 'unauthorized', status: 403 },
  body_too_large: { type: 'malformed', status: 413 },
  headers_too_large: { type: 'malformed', status: 431 },
  request_too_slow: { type: 'malformed', status: 408 },
  unsupported_media_type: { type: 'malformed', status: 415 },
  host_not_served: { type: 'malformed', status: 421 },
  https_only: { type: 'malformed', status: 421 },
  too_many_requests: { type: 'rateLimited', status: 429 },
  certificate_operation: { type: 'malformed', status: 400 },
  not_supported: { type: 'malformed', status: 400 },
  connector_unreachable: { type: 'serverInternal', status: 503 },
  connector_failed: { type: 'serverInternal', status: 502 },
  connector_refused: { type: 'rejectedIdentifier', status: 403 },
  unavailable: { type: 'serverInternal', status: 503 },
  internal: { type: 'serverInternal', status: 500 },
};

/** Retry-After for server-side failures. */
const RETRY_AFTER_S = '5';

/** Converts any known error to an ACME error. */
export function toRejection(error: AcmeRejection | JoseError | AppError): AcmeRejection {
  if (error instanceof AcmeRejection) return error;
  if (error instanceof JoseError) return joseRejection(error);
  const { type, status } = errorForms[error.code];
  const retryAfter = retryAfterOf(error) ?? (status >= 500 ? RETRY_AFTER_S : undefined);
  const headers = retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } };
  return rejection(type, error.message, { status, cause: error, ...headers });
}

/** Converts an error to the form in which it is stored with an order or sent as a subproblem. */
export function storedProblem(error: AcmeRejection | JoseError | AppError): StoredProblem {
  const { type, message, facts } = toRejection(error);
  return { type, detail: message, ...(facts.identifier ? { identifier: facts.identifier } : {}) };
}

function joseRejection(error: JoseError): AcmeRejection {
  switch (error.reason) {
    case 'malformed':
      return rejection('malformed', error.message, { cause: error });
    case 'bad-algorithm':
      return rejection('badSignatureAlgorithm', error.message, { cause: error });
    case 'bad-key':
      return rejection('badPublicKey', error.message, { cause: error });
    case 'bad-signature':
      return rejection('malformed', error.message, { cause: error });
  }
}

export const isKnownRejection = (error: unknown): error is AcmeRejection | JoseError | AppError =>
  error instanceof AcmeRejection || error instanceof JoseError || isAppError(error);

/**
 * Converts a problem to its wire format; `instance` is the request URL unless the error has its own. Only subproblems
 * contain an identifier (RFC 8555 §6.7.1).
 */
export function presentRejection(error: AcmeRejection, instance: string): AcmeProblemDto {
  return {
    type: URN + error.type,
    detail: error.message,
    instance: error.facts.instance ?? instance,
    ...(error.facts.subproblems
      ? { subproblems: error.facts.subproblems.map((problem) => presentSubproblem(problem, instance)) }
      : {}),
    ...(error.type === 'badSignatureAlgorithm' ? { algorithms: [...JWS_ALGORITHMS] } : {}),
  };
}

export const presentProblem = (problem: StoredProblem, instance: string): AcmeProblemDto =>
  presentRejection(rejectionOf(problem), instance);

const presentSubproblem = (problem: StoredProblem, instance: string): AcmeProblemDto => ({
  ...presentProblem(problem, instance),
  ...(problem.identifier ? { identifier: problem.identifier } : {}),
});
