// Reaches a built-in connector without a socket: same operations, same validation, same errors. Requests are
// not copied: a connector must not change what it is given.
import type { Operation, OperationRequest } from '@signetry/contract';
import { invoke, isConnectorError, type RunningConnector } from '@signetry/connector-sdk';
import { CallFailure, failureOfStatus } from './call-failure.ts';
import { CALL_TIMEOUT_MS, validAnswer, type CallOptions, type ConnectorAnswer, type Transport } from './transport.ts';

export function createInProcessTransport(running: RunningConnector): Transport {
  return {
    async call<Op extends Operation>(
      operation: Op,
      request: OperationRequest<Op>,
      options: CallOptions,
    ): Promise<ConnectorAnswer<Op>> {
      const timeoutMs = options.timeoutMs ?? CALL_TIMEOUT_MS;
      const timedOut = new AbortController();
      const timer = setTimeout(() => timedOut.abort(), timeoutMs);
      const signal = options.signal ? AbortSignal.any([options.signal, timedOut.signal]) : timedOut.signal;
      try {
        const { idempotencyKey } = options;
        const answer = invoke(running, operation, {
          ...request,
          signal,
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        });
        return validAnswer(operation, await Promise.race([answer, givenUp(signal)]));
      } catch (error) {
        throw asFailure(
          error,
          timedOut.signal.aborted ? `it did not answer within ${timeoutMs / 1000} s` : 'the call was given up',
        );
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** For a connector that does not look at the signal. */
const givenUp = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(new Error('aborted'));
    else signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });

function asFailure(error: unknown, givenUpReason: string): CallFailure {
  if (!isConnectorError(error))
    return new CallFailure('unreachable', givenUpReason, { outcome: 'unknown', cause: error });
  const body = error.status === 422 ? error.problems : { message: error.message };
  return failureOfStatus(error.status, body, error);
}
