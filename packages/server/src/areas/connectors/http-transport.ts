// Calls a connector at its URL. Responses are untrusted input: they are limited in size, parsed, and validated against
// their schema.
import { IDEMPOTENCY_KEY_HEADER, type Operation, type OperationRequest } from '@signetry/contract';
import type { Dispatcher } from 'undici';
import { isAppError } from '../../kernel/errors.ts';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { EgressError, type EgressGate } from '../../platform/net/egress.ts';
import { CallFailure, failureOfStatus } from './call-failure.ts';
import { callRulesOf } from './call-rules.ts';
import { exchange, type ExchangeResponse } from './exchange.ts';
import { signalsOf, validateResponse, type CallOptions, type ConnectorResponse, type Transport } from './transport.ts';

/** The largest responses are pages of discovered certificates with their attributes. */
const ANSWER_VALUE_LIMIT = 250_000;

export interface HttpTransportOptions {
  readonly url: string;
  readonly egress: EgressGate;
  readonly dispatcher: Dispatcher;
  /** Returns headers that authenticate the platform to this origin. */
  readonly headers: (origin: string) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** For timeout tests. */
  readonly callTimeoutMs?: number | undefined;
  /** Aborts every call when it fires. */
  readonly giveUp?: AbortSignal | undefined;
}

export function createHttpTransport(options: HttpTransportOptions): Transport {
  return {
    async call(operation, request, callOptions) {
      // Checked on every call: rules may have changed since the URL was accepted.
      const base = checkedUrl(options);
      await callOptions.committed;
      const send = () => exchangeOnce(base, { operation, request, callOptions, options });
      const isHarmless = callRulesOf(operation).repeated === 'harmless';
      const answer = isHarmless ? await send().catch((error: unknown) => resend(error, send)) : await send();
      return readResponse(operation, answer, request.body);
    },
  };
}

function checkedUrl({ url, egress }: HttpTransportOptions): URL {
  try {
    return egress.assertUrl(url);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw new CallFailure('forbidden', error.message, { outcome: 'notCarriedOut', cause: error });
  }
}

/** Repeats a harmless call: usually, the other side has closed the connection since the previous call. */
function resend(error: unknown, send: () => Promise<ExchangeResponse>): Promise<ExchangeResponse> {
  const cause =
    error instanceof CallFailure && error.kind === 'unreachable' && error.outcome === 'unknown'
      ? error.cause
      : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return send();
  throw error;
}

interface OutgoingCall {
  readonly operation: Operation;
  readonly request: OperationRequest<Operation>;
  readonly callOptions: CallOptions;
  readonly options: HttpTransportOptions;
}

async function exchangeOnce(
  base: URL,
  { operation, request, callOptions, options }: OutgoingCall,
): Promise<ExchangeResponse> {
  const authentication = await options.headers(base.origin);
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  return exchange({
    dispatcher: options.dispatcher,
    origin: base.origin,
    path: base.pathname.replace(/\/+$/, '') + pathOf(operation, request),
    method: operation.method,
    headers: {
      accept: 'application/json',
      'user-agent': 'signetry',
      ...authentication,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(callOptions.idempotencyKey === undefined ? {} : { [IDEMPOTENCY_KEY_HEADER]: callOptions.idempotencyKey }),
    },
    body,
    timeoutMs: callOptions.timeoutMs ?? options.callTimeoutMs ?? callRulesOf(operation).timeoutMs,
    signals: signalsOf(callOptions.signal, options.giveUp),
  });
}

/** Returns the path and query of a call. */
export function pathOf(operation: Operation, request: OperationRequest<Operation>): string {
  // The operation's schema defines an object of scalars.
  const params = (request.params ?? {}) as Record<string, unknown>;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) query.append(name, String(item));
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

function readResponse<Op extends Operation>(
  operation: Op,
  { status, retryAfter, body }: ExchangeResponse,
  sent: unknown,
): ConnectorResponse<Op> {
  if (status < 200 || status > 299)
    throw failureOfStatus(status, errorIn(body), { sent, retryAfterSeconds: secondsOf(retryAfter) });
  return validateResponse(operation, operation.success.media ? new Uint8Array(body) : resultIn(operation, body));
}

/** An empty body can stand for an empty list. One that is not JSON, such as a sign-in page, stands for nothing. */
function resultIn({ id, success }: Operation, body: Buffer): unknown {
  if (!success.body) return undefined;
  try {
    return parseJsonBody(body, { values: ANSWER_VALUE_LIMIT });
  } catch (cause) {
    const problem = isAppError(cause) && 'problem' in cause.parameters ? cause.parameters.problem : 'it cannot be read';
    const facts = { outcome: 'unknown', isAnswered: true, cause } as const;
    throw new CallFailure('failed', `its response to ${id} is unusable: ${problem}`, facts);
  }
}

/** Returns the delay in seconds; dates depend on the peer's clock and are ignored. */
const secondsOf = (retryAfter: string | undefined): number | undefined =>
  retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;

/** Error pages from intermediaries say nothing about the request. */
const PAGE = /^\s*</;

/** An error body can have any form: JSON, or the reason as text. */
function errorIn(body: Buffer): unknown {
  const parsed = parsedOrUndefined(body);
  if (parsed !== undefined) return parsed;
  const text = body.subarray(0, LONGEST_REASON_BYTES).toString('utf8');
  return PAGE.test(text) ? undefined : text;
}

const LONGEST_REASON_BYTES = 2_000;

function parsedOrUndefined(body: Buffer): unknown {
  try {
    return parseJsonBody(body, { values: ANSWER_VALUE_LIMIT });
  } catch {
    return undefined;
  }
}
