// Calls a connector by its URL with the same operations and errors as `invoke`. For tests and small tools: the platform
// has a separate client, with limits and address checks.
import type { Operation, OperationResponse } from '@signetry/contract';
import { ConnectorError, type ConnectorErrorStatus } from '../connector-error.ts';
import { invoke, type ConnectorCall, type InvokeOptions } from '../invoke.ts';
import type { RunningConnector } from '../connector.ts';
import { isObject } from '../is-object.ts';

/** Function that calls a connector. */
export type CallConnector = <Op extends Operation>(
  operation: Op,
  call: ConnectorCall<Op>,
) => Promise<OperationResponse<Op>>;

export const inProcess =
  (running: RunningConnector, options: InvokeOptions = {}): CallConnector =>
  (operation, call) =>
    invoke(running, operation, call, options);

export function overHttp(url: string, options: { readonly headers?: Record<string, string> } = {}): CallConnector {
  return async (operation, call) => {
    await call.committed;
    const response = await fetch(url + pathOf(operation, call), {
      method: operation.method,
      headers: {
        ...options.headers,
        ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(call.idempotencyKey === undefined ? {} : { 'Idempotency-Key': call.idempotencyKey }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.signal ? { signal: call.signal } : {}),
    });
    const text = await response.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (!response.ok) throw errorOf(response, body);
    // The connector under test checks its own responses.
    return body as OperationResponse<typeof operation>;
  };
}

function pathOf(operation: Operation, call: ConnectorCall): string {
  const params = call.params as Record<string, unknown> | undefined; // Path parameters are strings.
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) query.append(name, String(item));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

function errorOf({ status, headers }: Response, body: unknown): ConnectorError {
  const known = ([400, 401, 404, 422, 500, 501, 503] as const).find((code) => code === status);
  const fallback: ConnectorErrorStatus = status < 500 ? 400 : 500;
  if (Array.isArray(body)) return new ConnectorError(known ?? fallback, body.map(String));
  const message = isObject(body) && 'message' in body ? String(body.message) : `Status ${status}.`;
  const retryAfter = headers.get('Retry-After');
  const retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  return new ConnectorError(known ?? fallback, message, { retryAfterSeconds });
}
