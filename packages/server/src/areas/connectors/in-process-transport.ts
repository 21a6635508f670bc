// Calls a built-in connector without a socket, with the same operations, validation and errors. Requests are not
// copied, so a connector must not modify them.
import type { Operation, OperationRequest } from '@signetry/contract';
import { findOperation, invoke, isConnectorError, type RunningConnector } from '@signetry/connector-sdk';
import { findOutage } from '../../platform/database/database-errors.ts';
import { CallFailure, failureOfStatus } from './call-failure.ts';
import { callRulesOf } from './call-rules.ts';
import { signalsOf, validateResponse, type CallOptions, type ConnectorResponse, type Transport } from './transport.ts';

/** `giveUp` aborts every call when it fires. */
export function createInProcessTransport(running: RunningConnector, giveUp?: AbortSignal): Transport {
  return {
    async call<Op extends Operation>(
      operation: Op,
      request: OperationRequest<Op>,
      options: CallOptions,
    ): Promise<ConnectorResponse<Op>> {
      const { idempotencyKey, timeoutMs = callRulesOf(operation).timeoutMs, committed } = options;
      const signals = signalsOf(options.signal, giveUp);
      if (signals.some(({ aborted }) => aborted)) throw abortedFailure('notCarriedOut');
      const controller = new AbortController();
      // Settles the call even if the connector ignores its signal.
      const ended = Promise.withResolvers<never>();
      const end = (failure: CallFailure) => {
        controller.abort();
        ended.reject(failure);
      };
      const onAbort = () => end(abortedFailure('unknown'));
      const timer = setTimeout(() => end(timeoutFailure(timeoutMs)), timeoutMs);
      for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
      try {
        const bound = boundCall(running, operation, request);
        const call = { ...bound.request, signal: controller.signal, idempotencyKey, committed };
        const answer = invoke(running, bound.operation, call);
        const ends = committed ? [ended.promise, rejectUncommitted(committed)] : [ended.promise];
        return validateResponse(operation, await Promise.race([...ends, answer]));
      } catch (error) {
        throw toFailure(error, request.body);
      } finally {
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** A callback is identified only by its method and path, which the connector specified in a definition. */
function boundCall(
  running: RunningConnector,
  operation: Operation,
  request: OperationRequest<Operation>,
): { readonly operation: Operation; readonly request: OperationRequest<Operation> } {
  if (operation.params || running.handlers[operation.id]) return { operation, request };
  const found = findOperation(running, operation);
  return found ? { operation: found.operation, request: { ...request, params: found.params } } : { operation, request };
}

const abortedFailure = (outcome: 'notCarriedOut' | 'unknown') =>
  new CallFailure('unreachable', 'the call was aborted', { outcome, isGivenUp: true });

/** Aborts a call if its caller does not commit: the call then had no effect, regardless of the reason. */
const rejectUncommitted = (committed: Promise<unknown>): Promise<never> =>
  committed.then(
    () => new Promise<never>(() => undefined),
    () => {
      throw abortedFailure('notCarriedOut');
    },
  );

const timeoutFailure = (timeoutMs: number) =>
  new CallFailure('unreachable', `it did not respond within ${timeoutMs / 1000} s`, { outcome: 'unknown' });

/** Converts an error of a built-in connector; `sent` is the body of the call. */
export function toFailure(error: unknown, sent?: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  if (error instanceof Error && error.cause instanceof CallFailure) return error.cause;
  // The platform's database failed, not the connector; an earlier statement may have taken effect.
  const outage = findOutage(error);
  if (outage) return new CallFailure('unavailable', outage.reason, { outcome: 'unknown', cause: error });
  if (!isConnectorError(error))
    return new CallFailure('failed', 'it failed unexpectedly', { outcome: 'unknown', cause: error });
  // The connector is part of this program, so its message is ours, and it distinguishes errors before an effect from
  // errors after it.
  if (error.status === 503)
    return new CallFailure('unavailable', error.message, {
      outcome: 'notCarriedOut',
      status: 503,
      retryAfterSeconds: error.retryAfterSeconds,
      cause: error,
    });
  const body = error.status === 422 ? error.problems : { message: error.message };
  return failureOfStatus(error.status, body, { sent, cause: error });
}
