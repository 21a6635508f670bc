// CMP rejections: a PKIFailureInfo bit (RFC 9810 §5.2.3) and an error message.
import { failureOfError, isPkiError, type PkiBodyInput, type PkiFailure, type PkiStatusInput } from '@signetry/pki';
import { UnprovenRequestError } from '../../areas/certificates/index.ts';
import { isAppError, type AppError, type ErrorCode } from '../../kernel/errors.ts';

export class CmpRejection extends Error {
  readonly failure: PkiFailure;

  constructor(failure: PkiFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CmpRejection';
    this.failure = failure;
  }
}

/** Errors that the request did not cause, so the same request may succeed later. */
const TEMPORARY: ReadonlySet<string> = new Set<ErrorCode>([
  'unavailable',
  'connector_failed',
  'connector_unreachable',
  'too_many_requests',
  'internal',
]);

/** Returns the CMP form of a rejection from any part of the platform; undefined for an internal error. */
export function toRejection(error: unknown): CmpRejection | undefined {
  if (error instanceof CmpRejection) return error;
  if (isPkiError(error)) return new CmpRejection(failureOfError(error), error.message, { cause: error });
  if (!isAppError(error)) return undefined;
  return new CmpRejection(TEMPORARY.has(error.code) ? 'systemUnavail' : 'badRequest', error.message, { cause: error });
}

/** Rejections of a certificate request by the platform's rules or by the authority. */
const REJECTED_REQUEST: Partial<Record<ErrorCode, true>> = {
  invalid_fields: true,
  rejected_by_rules: true,
  certificate_operation: true,
  connector_refused: true,
};

/** Returns the failure bit for the cause of a certificate request's rejection. */
export function failureOfRequest(error: AppError): PkiFailure {
  if (TEMPORARY.has(error.code)) return 'systemUnavail';
  const { cause } = error;
  if (cause instanceof UnprovenRequestError) return 'badPOP';
  if (isPkiError(cause)) return failureOfError(cause);
  return REJECTED_REQUEST[error.code] ? 'badCertTemplate' : 'badRequest';
}

export const rejectionStatus = ({ failure, message }: CmpRejection): PkiStatusInput => ({
  status: 'rejection',
  failures: [failure],
  texts: [message],
});

export const errorBody = (refusal: CmpRejection): PkiBodyInput => ({ type: 'error', status: rejectionStatus(refusal) });
