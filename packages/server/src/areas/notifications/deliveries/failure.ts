// Effect of a failed provider call: whether the delivery is retried, and which problem is recorded.
import { isAppError, problemsOf } from '../../../kernel/errors.ts';
import { callFailureOf } from '../../connectors/index.ts';
import { formatProblem, type Failure } from './retry-schedule.ts';

/**
 * Request Timeout, Too Early, Too Many Requests (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4): the same request may be
 * accepted later.
 */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

export function failureOf(error: unknown): Failure {
  const failure = callFailureOf(error);
  // If the provider reported success, the notification was delivered, even if its response is malformed.
  if (failure) {
    const { kind, status, isAnswered, remoteMessage, retryAfterSeconds: retryAfterS } = failure;
    const words = isAppError(error) ? problemsOf(error).join(' ') : failure.message;
    const said = remoteMessage === undefined || words.includes(remoteMessage) ? '' : ` Its response: ${remoteMessage}`;
    return { problem: formatProblem(words + said), isFinal: isAnswered || isFinal(kind, status), retryAfterS };
  }
  if (isAppError(error, 'unavailable')) return { problem: formatProblem(error.message), isFinal: false };
  if (isAppError(error)) return { problem: formatProblem(problemsOf(error).join(' ')), isFinal: true };
  return { problem: "An internal error occurred; see the platform's log.", isFinal: false };
}

/** Rejections are final and are not retried. */
function isFinal(kind: string, status: number | undefined): boolean {
  if (status === 501) return true;
  if (kind === 'unavailable' || kind === 'unreachable' || kind === 'failed') return false;
  return kind !== 'refused' || !LATER.has(status ?? 0);
}

/** The platform itself aborted the call, so nothing is known about the receiver. */
export const isGivenUp = (error: unknown): boolean => callFailureOf(error)?.isGivenUp === true;
