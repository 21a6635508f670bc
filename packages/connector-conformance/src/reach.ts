// How a connector under check is reached: over HTTP at its URL, or in this process. Both carry the same requests, down
// to the JSON text, so that a connector is held to what other programs would receive.
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
  /** Path and query below the URL of the connector. */
  readonly target: string;
  /** A JSON value. */
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Rejects when there is no reply. */
export type Reach = (request: Request) => Promise<Reply>;

export interface HttpReachOptions {
  /** Headers that authenticate the caller. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

/** A connector at a URL, in whatever language it is written. */
export function reachOverHttp(url: string, options: HttpReachOptions = {}): Reach {
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

/** A connector made with the SDK that runs in this process. */
export function reachInProcess(running: RunningConnector): Reach {
  const own = Object.values(running.handlers).map(({ operation }) => operation);
  const find = createRouteTable([...own, ...Object.values<Operation>(connectorOperations)]);
  return async ({ method, target, body, idempotencyKey, signal }) => {
    const { pathname, searchParams } = new URL(target, 'http://connector.invalid');
    const match = find(method, pathname);
    if (typeof match === 'string') return { status: 404, text: jsonText({ message: `There is no ${pathname} here.` }) };
    const { operation, params } = match;
    const call = { params, query: Object.fromEntries(searchParams), body: copied(body), idempotencyKey, signal };
    try {
      const answer: unknown = await invoke(running, operation, call, { checkAnswers: false });
      return { status: operation.success.status, text: answer === undefined ? '' : jsonText(answer) };
    } catch (error) {
      if (isConnectorError(error)) return { status: error.status, text: jsonText(bodyOf(error)) };
      throw error;
    }
  };
}

/** In a process nothing is copied; neither side may change what the other holds. */
const copied = (body: unknown): unknown =>
  body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);

const bodyOf = (error: ConnectorError): unknown => (error.status === 422 ? error.problems : { message: error.message });
