// What a failed call to an authority tells about its effect. Who may have been cut off between signature and answer must
// not be told "failed": certificates would exist that nobody records.
import { isAppError } from '../../kernel/errors.ts';
import { callFailureOf } from '../connectors/index.ts';

/**
 * `refused`: the authority got the request and said no. `reportedFailure`: it got it and says that it failed.
 * `notReached`: this attempt had no effect; an earlier one may have had. `unknown`: nobody can tell.
 */
export type CallVerdict = 'refused' | 'reportedFailure' | 'notReached' | 'unknown';

const REFUSALS: readonly string[] = ['refused', 'notFound', 'rejected'];

export function verdictOf(cause: unknown): CallVerdict {
  const failure = callFailureOf(cause);
  // Our own refusals come before the call; anything else that was thrown may come from anywhere.
  if (!failure) return isAppError(cause) ? 'notReached' : 'unknown';
  if (REFUSALS.includes(failure.kind)) return 'refused';
  return failure.outcome === 'notCarriedOut' ? 'notReached' : failure.outcome;
}

/** Did the operation certainly have no effect, in this attempt and in those before it? */
export function certainlyWithoutEffect(verdict: CallVerdict, attempts: number): boolean {
  return verdict === 'refused' || (verdict === 'notReached' && attempts === 1);
}
