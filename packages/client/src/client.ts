// A typed client, derived from the operation tables; no operation is defined here. Responses are typed but not
// validated: a newer platform may return more than this client knows.
import { platformAreas } from '@signetry/contract';
import type { Operation, OperationResponse, OperationTable } from '@signetry/contract';
import { ApiError, apiError, ConnectionError } from './errors.ts';
import { urlOf } from './request.ts';
import type { AnyInput, CallInput } from './request.ts';

/** Longer than the platform waits for an authority before it responds to an issuance call. */
export const DEFAULT_TIMEOUT_MS = 60_000;

export interface ClientOptions {
  /** API base URL. For the platform, it includes the base path: `http://127.0.0.1:8080/api`, or `/api` in a browser. */
  readonly baseUrl: string;
  /** Sent as a bearer token. */
  readonly token?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Sent with this request, e.g. `Idempotency-Key`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

type EmptyObject = { readonly [Key in never]: never };

/** Input first, options second; the input can be omitted if the operation requires none. */
type CallArguments<Op extends Operation> =
  EmptyObject extends CallInput<Op>
    ? [input?: CallInput<Op>, options?: CallOptions]
    : [input: CallInput<Op>, options?: CallOptions];

/** The operations of a table as functions. */
export type Area<Table extends OperationTable> = {
  readonly [Key in keyof Table]: (...args: CallArguments<Table[Key]>) => Promise<OperationResponse<Table[Key]>>;
};

export interface Caller {
  /** Calls any operation of either interface, relative to the base URL. */
  call<const Op extends Operation>(op: Op, ...args: CallArguments<Op>): Promise<OperationResponse<Op>>;
}

/** A platform client: `client.groups.listGroups()`, or `client.call(operation, input)`. */
export type Client = Caller & { readonly [Name in keyof typeof platformAreas]: Area<(typeof platformAreas)[Name]> };

export function createClient(options: ClientOptions): Client {
  const send = (op: Operation, input: AnyInput = {}, callOptions: CallOptions = {}) =>
    exchange({ op, input, options, callOptions });
  const areas = Object.entries(platformAreas).map(([name, table]) => [
    name,
    Object.fromEntries(
      Object.entries<Operation>(table).map(([key, op]) => [
        key,
        (input?: AnyInput, callOptions?: CallOptions) => send(op, input, callOptions),
      ]),
    ),
  ]);
  return { ...Object.fromEntries(areas), call: send } as Client; // Built from the same tables as the client's type.
}

interface Exchange {
  readonly op: Operation;
  readonly input: AnyInput;
  readonly options: ClientOptions;
  readonly callOptions: CallOptions;
}

/** Sends a request. Returns the parsed body, bytes for other media types, or undefined if the response has no body. */
async function exchange({ op, input, options, callOptions }: Exchange): Promise<unknown> {
  const timeout = AbortSignal.timeout(callOptions.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const signal = callOptions.signal ? AbortSignal.any([callOptions.signal, timeout]) : timeout;
  const request: RequestInit = {
    method: op.method,
    headers: headersOf({ op, input, options, callOptions }),
    signal,
    // A redirect would send the credentials to a URL that the caller did not choose.
    redirect: 'error',
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  };
  const url = urlOf(options.baseUrl, op, input);
  try {
    const response = await (options.fetch ?? globalThis.fetch)(url, request);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) throw apiError(response.status, textOf(bytes));
    return responseFor(op, { status: response.status, bytes });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // This is the caller's own reason, which can be of any type.
    if (callOptions.signal?.aborted) throw callOptions.signal.reason;
    const timedOut = timeout.aborted;
    const problem = timedOut ? 'the request timed out' : causeOf(error);
    throw new ConnectionError(`${op.id}: ${problem} (${options.baseUrl})`, { cause: error, timedOut });
  }
}

/** Returns the reason for a failure: `fetch` always reports `fetch failed`, with the actual reason as its cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function headersOf({ op, input, options, callOptions }: Exchange): Record<string, string> {
  return {
    accept: op.success.media ?? 'application/json',
    ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...options.headers,
    ...callOptions.headers,
  };
}

function responseFor(op: Operation, { status, bytes }: { status: number; bytes: Uint8Array }): unknown {
  if (op.success.body === undefined) return op.success.media === undefined ? undefined : bytes;
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    throw new ApiError(status, { message: `${op.id}: the response is not JSON`, body: textOf(bytes) });
  }
}
