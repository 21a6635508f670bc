// Determines what a failed call to an authority reveals about its effect. A call that was cut off between signature and
// response must not be treated as failed, because certificates would then exist without a record. The accompanying test
// has a row for every kind of failure.
import { isAppError } from '../../../kernel/errors.ts';
import { callFailureOf } from '../../connectors/index.ts';

/**
 * `refused`: the authority received and rejected the request, which applies to every attempt. `notReached`: this
 * attempt had no effect, but an earlier one may have had. `unknown`: the effect cannot be determined, for example after
 * a 500 or 503 response.
 */
export type CallVerdict = 'refused' | 'notReached' | 'unknown';

const REFUSALS: readonly string[] = ['refused', 'notFound', 'rejected'];

/**
 * Statuses that mean "not now" rather than "no": request not received in time, conflict (perhaps with an earlier
 * attempt), misdirected, locked, too early, too many requests (RFC 9110 §15.5, RFC 4918 §11.3, RFC 8470 §5.2, RFC 6585
 * §4).
 */
const NOT_NOW: ReadonlySet<number | undefined> = new Set([408, 409, 421, 423, 425, 429]);

export function verdictOf(cause: unknown): CallVerdict {
  const failure = callFailureOf(cause);
  // The platform's own rejections occur before the call; any other error can come from anywhere.
  if (!failure) return isAppError(cause) ? 'notReached' : 'unknown';
  if (failure.outcome === 'unknown') return 'unknown';
  return REFUSALS.includes(failure.kind) && !NOT_NOW.has(failure.status) ? 'refused' : 'notReached';
}

/** Returns whether the operation certainly had no effect, in this attempt and all previous ones. */
export function hadNoEffect(verdict: CallVerdict, attempts: number): boolean {
  return verdict === 'refused' || (verdict === 'notReached' && attempts === 1);
}
