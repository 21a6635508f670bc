// Connector transports: HTTP and in-process. Both support the same operations and fail in the same way.
import { readLeniently, type Operation, type OperationRequest } from '@signetry/contract';
import type { z } from 'zod';
import { CallFailure } from './call-failure.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Idempotency key: a connector that supports it returns the previous result instead of repeating the operation. */
  readonly idempotencyKey?: string | undefined;
  /** Overrides the operation's timeout. */
  readonly timeoutMs?: number | undefined;
  /** The call has no effect until this resolves, and none if it rejects; the caller must handle the rejection. */
  readonly committed?: Promise<void> | undefined;
}

/** Result of a call: the validated response, with the defaults of its schema filled in. */
export type ConnectorResponse<Op extends Operation> = Op['success'] extends { readonly body: infer Body }
  ? Body extends z.ZodType
    ? z.output<Body>
    : undefined
  : Op['success'] extends { readonly media: string }
    ? Uint8Array
    : undefined;

/** Returns the signals that abort a call: the caller's signal and the shutdown signal. */
export const signalsOf = (...signals: readonly (AbortSignal | undefined)[]): readonly AbortSignal[] =>
  signals.filter((signal) => signal !== undefined);

/** Throws only `CallFailure`. */
export interface Transport {
  call<Op extends Operation>(
    operation: Op,
    request: OperationRequest<Op>,
    options: CallOptions,
  ): Promise<ConnectorResponse<Op>>;
}

/** Timeout of calls that only check a connector while a user waits. */
export const PROBE_TIMEOUT_MS = 10_000;

/** Parses a response with its operation's schema. Connectors are not trusted, no matter where they run. */
export function validateResponse<Op extends Operation>(operation: Op, answer: unknown): ConnectorResponse<Op> {
  const { body, media } = operation.success;
  if (!body) return (media ? answer : undefined) as ConnectorResponse<Op>; // As declared by the operation.
  const parsed = readLeniently(body, answer, 'connector');
  if (parsed.success) return parsed.data as ConnectorResponse<Op>; // The type is derived from this schema.
  // The request was executed, but its result cannot be read.
  throw new CallFailure('failed', `its response to ${operation.id} does not match the schema`, {
    outcome: 'unknown',
    isAnswered: true,
    cause: parsed.error,
  });
}
