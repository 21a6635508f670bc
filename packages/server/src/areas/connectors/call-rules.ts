// How calls to connectors are made: how long each may take, and what comes of making it twice. Both follow from the
// declaration of the operation: from its route, and from what is declared where the route does not tell.
import type { Operation, Pace, Repeated } from '@signetry/contract';
import { PROBE_TIMEOUT_MS } from './transport.ts';

export interface CallRules {
  readonly pace: Pace;
  readonly timeoutMs: number;
  /**
   * `harmless` calls are made again at once when the connection broke. Those with the `same` effect may be made again
   * by whoever needs their result; the others only under an idempotency key, at a connector that knows it.
   */
  readonly repeated: Repeated;
}

/** Certification authorities may be slow; making an RSA key in a token, or reaching a machine, is slower still. */
const timeouts: Readonly<Record<Pace, number>> = {
  quick: PROBE_TIMEOUT_MS,
  form: 30_000,
  work: 60_000,
  slow: 180_000,
};

/** No call has more time. */
export const LONGEST_CALL_MS = Math.max(...Object.values(timeouts));

export function callRulesOf(operation: Pick<Operation, 'method' | 'path' | 'pace' | 'repeated'>): CallRules {
  const repeated = operation.repeated ?? repeatedByRoute(operation);
  const pace = operation.pace ?? (isForForms(operation) ? 'form' : 'work');
  return { pace, timeoutMs: timeouts[pace], repeated };
}

/** A check of values has no effect; apart from that, the method tells (RFC 9110 §9.2). */
function repeatedByRoute({ method, path }: Pick<Operation, 'method' | 'path'>): Repeated {
  if (method === 'GET' || method === 'HEAD' || isCheck(path)) return 'harmless';
  return method === 'PUT' || method === 'DELETE' ? 'same' : 'again';
}

const isCheck = (path: string): boolean => path.endsWith('/attributes/validate');

const isForForms = ({ method, path }: Pick<Operation, 'method' | 'path'>): boolean => method === 'GET' || isCheck(path);
