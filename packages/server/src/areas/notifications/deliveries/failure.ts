// What the failure of a call to a provider means for the delivery: whether it is tried again, and in which words it is
// kept.
import { isAppError, problemsOf } from '../../../kernel/errors.ts';
import { callFailureOf } from '../../connectors/index.ts';
import { asProblem, type Failure } from './retry-schedule.ts';

/** A time-out, too early, too many (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4): the same may be taken later. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

export function failureOf(error: unknown): Failure {
  const failure = callFailureOf(error);
  // A provider that reported success has delivered it, whatever is wrong with its answer.
  if (failure) {
    const { kind, status, isAnswered, remoteMessage, retryAfterSeconds: retryAfterS } = failure;
    const words = isAppError(error) ? problemsOf(error).join(' ') : failure.message;
    const said = remoteMessage === undefined || words.includes(remoteMessage) ? '' : ` It said: ${remoteMessage}`;
    return { problem: asProblem(words + said), isFinal: isAnswered || isFinal(kind, status), retryAfterS };
  }
  if (isAppError(error, 'unavailable')) return { problem: asProblem(error.message), isFinal: false };
  if (isAppError(error)) return { problem: asProblem(problemsOf(error).join(' ')), isFinal: true };
  return { problem: 'The platform failed; its log says why.', isFinal: false };
}

/** Refusals are answers, and nothing to repeat. */
function isFinal(kind: string, status: number | undefined): boolean {
  if (status === 501) return true;
  if (kind === 'unavailable' || kind === 'unreachable' || kind === 'failed') return false;
  return kind !== 'refused' || !LATER.has(status ?? 0);
}

/** The platform itself ended the call: nothing is known of the receiver. */
export const isGivenUp = (error: unknown): boolean => callFailureOf(error)?.isGivenUp === true;
