// What a failed call to an authority tells about its effect. A call that was cut off between signature and answer must
// not count as failed: certificates would exist that nobody records. The test beside has a row for every kind of
// failure.
import { isAppError } from '../../../kernel/errors.ts';
import { callFailureOf } from '../../connectors/index.ts';

/**
 * `refused`: the authority got the request and said no, which is true of every attempt. `notReached`: this attempt had
 * no effect; an earlier one may have had. `unknown`: nobody can tell, an answer like 500 or 503 included.
 */
export type CallVerdict = 'refused' | 'notReached' | 'unknown';

const REFUSALS: readonly string[] = ['refused', 'notFound', 'rejected'];

/**
 * Statuses that say "not now" instead of "no": request not received in time, conflict (perhaps with an earlier
 * attempt), misdirected, locked, too early, too many requests (RFC 9110 §15.5, RFC 4918 §11.3, RFC 8470 §5.2, RFC 6585
 * §4).
 */
const NOT_NOW: ReadonlySet<number | undefined> = new Set([408, 409, 421, 423, 425, 429]);

export function verdictOf(cause: unknown): CallVerdict {
  const failure = callFailureOf(cause);
  // Our own refusals come before the call; anything else that was thrown may come from anywhere.
  if (!failure) return isAppError(cause) ? 'notReached' : 'unknown';
  if (failure.outcome === 'unknown') return 'unknown';
  return REFUSALS.includes(failure.kind) && !NOT_NOW.has(failure.status) ? 'refused' : 'notReached';
}

/** Did the operation certainly have no effect, in this attempt and in those before it? */
export function certainlyWithoutEffect(verdict: CallVerdict, attempts: number): boolean {
  return verdict === 'refused' || (verdict === 'notReached' && attempts === 1);
}
