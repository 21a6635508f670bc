// How a connector is reached: over HTTP or in this process. Both carry out the same operations and fail the same way.
import { readLeniently, type Operation, type OperationRequest } from '@signetry/contract';
import type { z } from 'zod';
import { CallFailure } from './call-failure.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Under which the connector repeats a result instead of an effect, where it can. */
  readonly idempotencyKey?: string | undefined;
  /** Instead of the time that calls of the operation have. */
  readonly timeoutMs?: number | undefined;
  /** The call has no effect before this resolves, and none when it rejects; whoever passes it looks after that. */
  readonly committed?: Promise<void> | undefined;
}

/** What a call brings: the answer after validation, with the defaults of its schema filled in. */
export type ConnectorAnswer<Op extends Operation> = Op['success'] extends { readonly body: infer Body }
  ? Body extends z.ZodType
    ? z.output<Body>
    : undefined
  : Op['success'] extends { readonly media: string }
    ? Uint8Array
    : undefined;

/** Signals that end a call, in one list: that of its caller, and that of a stop. */
export const signalsOf = (...signals: readonly (AbortSignal | undefined)[]): readonly AbortSignal[] =>
  signals.filter((signal) => signal !== undefined);

/** Throws `CallFailure` only. */
export interface Transport {
  call<Op extends Operation>(
    operation: Op,
    request: OperationRequest<Op>,
    options: CallOptions,
  ): Promise<ConnectorAnswer<Op>>;
}

/** Calls that a person waits for with nothing but a look at the connector. */
export const PROBE_TIMEOUT_MS = 10_000;

/** Reads an answer by the schema of its operation: connectors are not trusted, wherever they run. */
export function validAnswer<Op extends Operation>(operation: Op, answer: unknown): ConnectorAnswer<Op> {
  const { body, media } = operation.success;
  if (!body) return (media ? answer : undefined) as ConnectorAnswer<Op>; // as the operation declares
  const parsed = readLeniently(body, answer, 'connector');
  if (parsed.success) return parsed.data as ConnectorAnswer<Op>; // the schema is the one the type is taken from
  // The request was carried out, but what came of it cannot be read.
  throw new CallFailure('failed', `its answer to ${operation.id} does not have the form of the interface`, {
    outcome: 'unknown',
    isAnswered: true,
    cause: parsed.error,
  });
}
