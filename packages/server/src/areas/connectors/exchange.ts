// A single bounded HTTP exchange with a connector. Unlike undici's request functions, it reports whether the request
// had already been sent when an error occurred.
import type { Dispatcher } from 'undici';
import { EgressError } from '../../platform/net/egress.ts';
import { CallFailure, type CallOutcome } from './call-failure.ts';

export interface ExchangeRequest {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly timeoutMs: number;
  /** Any of these aborts the exchange. */
  readonly signals: readonly AbortSignal[];
}

export interface ExchangeResponse {
  readonly status: number;
  /** Header as received. */
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
}

/** Size limit for a response, which is read into memory; the largest are pages of discovered certificates. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

class ResponseTooLarge extends Error {}
class TimeLimitExceeded extends Error {}
class CallerDisconnected extends Error {}

export function exchange(request: ExchangeRequest): Promise<ExchangeResponse> {
  const { dispatcher, origin, path, method, headers, body, timeoutMs, signals } = request;
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeResponse>();
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let retryAfter: string | undefined;
  let hasLeft = false;
  let stopped: Error | undefined;
  let controller: Dispatcher.DispatchController | undefined;

  const stop = (reason: Error) => {
    stopped ??= reason;
    controller?.abort(reason);
    // Before the connection is open, there is nothing to abort; the request is dropped when it starts.
    if (!controller) fail(reason);
  };
  const onAbort = () => stop(new CallerDisconnected());
  const timer = setTimeout(() => stop(new TimeLimitExceeded()), timeoutMs);
  const finish = () => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  };
  const fail = (error: Error) => {
    finish();
    reject(failureOf(stopped ?? error, { hasLeft, timeoutMs, isAnswered: status >= 200 && status < 300 }));
  };

  if (signals.some(({ aborted }) => aborted)) {
    onAbort();
    return promise;
  }
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });

  dispatcher.dispatch(
    { origin, path, method: method as Dispatcher.HttpMethod, headers, body: body ?? null },
    {
      onRequestStart(started) {
        controller = started;
        if (stopped) started.abort(stopped);
        else hasLeft = true;
      },
      onResponseStart(_started, statusCode, headers) {
        status = statusCode;
        retryAfter = [headers['retry-after']].flat()[0];
      },
      onResponseData(started, chunk) {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) started.abort(new ResponseTooLarge());
        else chunks.push(chunk);
      },
      onResponseEnd() {
        finish();
        resolve({ status, retryAfter, body: Buffer.concat(chunks) });
      },
      onResponseError(_started, error) {
        fail(error);
      },
    },
  );
  return promise;
}

interface Progress {
  readonly hasLeft: boolean;
  readonly timeoutMs: number;
  /** Whether a success status was received. */
  readonly isAnswered: boolean;
}

function failureOf(error: Error, { hasLeft, timeoutMs, isAnswered }: Progress): CallFailure {
  const outcome: CallOutcome = hasLeft ? 'unknown' : 'notCarriedOut';
  const egress = egressErrorOf(error);
  if (egress && egress.reason !== 'unresolvable')
    return new CallFailure('forbidden', egress.message, { outcome, cause: error });
  if (error instanceof ResponseTooLarge || codeOf(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    const limit = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
    return new CallFailure('failed', `its response is larger than ${limit}`, { outcome, isAnswered, cause: error });
  }
  const isGivenUp = error instanceof CallerDisconnected;
  const facts = { outcome, isGivenUp, isAnswered, cause: error };
  return new CallFailure('unreachable', reasonOf(error, { hasLeft, timeoutMs }), facts);
}

/** The egress error may be wrapped in the error from the connection that triggered it. */
function egressErrorOf(error: unknown): EgressError | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof EgressError) return current;
    current = current.cause;
  }
  return undefined;
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

function reasonOf(error: Error, { hasLeft, timeoutMs }: { hasLeft: boolean; timeoutMs: number }): string {
  if (error instanceof TimeLimitExceeded) return `it did not respond within ${timeoutMs / 1000} s`;
  if (error instanceof CallerDisconnected) return 'the call was aborted';
  const code = codeOf(error);
  if (egressErrorOf(error) || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its host name cannot be resolved';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return 'the connection could not be established in time';
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'it did not respond in time';
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(code)) return `TLS failed (${code})`;
  if (code.startsWith('HPE_')) return 'it does not speak HTTP';
  return hasLeft ? 'the connection broke before the response was complete' : 'the connection could not be established';
}
