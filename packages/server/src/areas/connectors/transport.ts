// How a connector is reached: over HTTP or in this process. Both carry out the same operations and fail the same way.
import type { Operation, OperationAnswer, OperationRequest } from '@signetry/contract';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Under which the connector repeats a result instead of an effect, where it can. */
  readonly idempotencyKey?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Throws `CallFailure` only. */
export interface Transport {
  call<Op extends Operation>(
    operation: Op,
    request: OperationRequest<Op>,
    options: CallOptions,
  ): Promise<OperationAnswer<Op>>;
}

/** Connectors talk to certification authorities, which may be slow. */
export const CALL_TIMEOUT_MS = 60_000;
/** Calls that a person waits for with nothing but a look at the connector. */
export const PROBE_TIMEOUT_MS = 10_000;
