// CMP rejections: a PKIFailureInfo bit (RFC 9810 §5.2.3) and an error message.
import { failureOfError, isPkiError, type PkiBodyInput, type PkiFailure, type PkiStatusInput } from '@signetry/pki';
import { isAppError, type ErrorCode } from '../../kernel/errors.ts';

export class CmpRefusal extends Error {
  readonly failure: PkiFailure;

  constructor(failure: PkiFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CmpRefusal';
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
export function asRefusal(error: unknown): CmpRefusal | undefined {
  if (error instanceof CmpRefusal) return error;
  if (isPkiError(error)) return new CmpRefusal(failureOfError(error), error.message, { cause: error });
  if (!isAppError(error)) return undefined;
  return new CmpRefusal(TEMPORARY.has(error.code) ? 'systemUnavail' : 'badRequest', error.message, { cause: error });
}

export const rejection = ({ failure, message }: CmpRefusal): PkiStatusInput => ({
  status: 'rejection',
  failures: [failure],
  texts: [message],
});

export const errorBody = (refusal: CmpRefusal): PkiBodyInput => ({ type: 'error', status: rejection(refusal) });
