// Access to the connector under check, over HTTP or in this process. Both exchange the same JSON text, so the checks
// see exactly what an external program would receive.
import {
  createRouteTable,
  invoke,
  isConnectorError,
  jsonText,
  type ConnectorError,
  type RunningConnector,
} from '@signetry/connector-sdk';
import { connectorOperations, IDEMPOTENCY_KEY_HEADER, type Operation } from '@signetry/contract';

export interface Request {
  readonly method: string;
  /** Path and query, relative to the connector URL. */
  readonly target: string;
  /** JSON value. */
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Function that sends a request. Rejects if there is no response. */
export type Transport = (request: Request) => Promise<Reply>;

export interface HttpTransportOptions {
  /** Headers that authenticate the caller. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

/** Reaches a connector in any programming language at its URL. */
export function httpTransport(url: string, options: HttpTransportOptions = {}): Transport {
  const base = url.replace(/\/+$/, '');
  const { headers = {}, fetch = globalThis.fetch } = options;
  return async ({ method, target, body, idempotencyKey, signal }) => {
    const response = await fetch(base + target, {
      method,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
      redirect: 'manual',
    });
    return { status: response.status, text: await response.text() };
  };
}

/** Reaches an SDK connector that runs in this process. */
export function inProcessTransport(running: RunningConnector): Transport {
  const own = Object.values(running.handlers).map(({ operation }) => operation);
  const find = createRouteTable([...own, ...Object.values<Operation>(connectorOperations)]);
  return async ({ method, target, body, idempotencyKey, signal }) => {
    const { pathname, searchParams } = new URL(target, 'http://connector.invalid');
    const match = find(method, pathname);
    if (typeof match === 'string')
      return { status: 404, text: jsonText({ message: `Path ${pathname} does not exist.` }) };
    const { operation, params } = match;
    const call = { params, query: Object.fromEntries(searchParams), body: copyJson(body), idempotencyKey, signal };
    try {
      const answer: unknown = await invoke(running, operation, call, { checkAnswers: false });
      return { status: operation.success.status, text: answer === undefined ? '' : jsonText(answer) };
    } catch (error) {
      if (isConnectorError(error)) return { status: error.status, text: jsonText(bodyOf(error)) };
      throw error;
    }
  };
}

/** Copies in-process values, so that neither side can change the other's data. */
const copyJson = (body: unknown): unknown =>
  body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);

const bodyOf = (error: ConnectorError): unknown => (error.status === 422 ? error.problems : { message: error.message });
