// Rules for connector calls: their timeout, and whether they can be repeated. Both derive from the operation's route,
// or from its declaration if the route is not enough.
import type { Operation, Pace, RepetitionEffect } from '@signetry/contract';
import { PROBE_TIMEOUT_MS } from './transport.ts';

export interface CallRules {
  readonly pace: Pace;
  readonly timeoutMs: number;
  /**
   * `harmless` calls are retried immediately if the connection breaks. Callers that need the result can repeat `same`
   * calls, which have the same effect each time. All other calls can be repeated only with an idempotency key, at a
   * connector that supports it.
   */
  readonly repeated: RepetitionEffect;
}

/** Authorities can be slow; generating an RSA key in a token or connecting to a machine is even slower. */
const timeouts: Readonly<Record<Pace, number>> = {
  quick: PROBE_TIMEOUT_MS,
  form: 30_000,
  work: 60_000,
  slow: 180_000,
};

/** Upper limit of all timeouts. */
export const LONGEST_CALL_MS = Math.max(...Object.values(timeouts));

export function callRulesOf(operation: Pick<Operation, 'method' | 'path' | 'pace' | 'repeated'>): CallRules {
  const repeated = operation.repeated ?? repeatedByRoute(operation);
  const pace = operation.pace ?? (isForForms(operation) ? 'form' : 'work');
  return { pace, timeoutMs: timeouts[pace], repeated };
}

/** Validation calls have no effect; for all other calls, the method decides (RFC 9110 §9.2). */
function repeatedByRoute({ method, path }: Pick<Operation, 'method' | 'path'>): RepetitionEffect {
  if (method === 'GET' || method === 'HEAD' || isCheck(path)) return 'harmless';
  return method === 'PUT' || method === 'DELETE' ? 'same' : 'again';
}

const isCheck = (path: string): boolean => path.endsWith('/attributes/validate');

const isForForms = ({ method, path }: Pick<Operation, 'method' | 'path'>): boolean => method === 'GET' || isCheck(path);
