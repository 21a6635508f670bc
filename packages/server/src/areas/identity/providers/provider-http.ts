// Requests to identity providers. They pass through the egress gate, are limited in size and time, and do not follow
// redirects.
import { fetch, type Dispatcher, type RequestInit, type Response } from 'undici';
import type { Platform } from '../../../platform/platform.ts';
import { EgressError } from '../../../platform/net/egress.ts';

const TIMEOUT_S = 10;
/** Key sets and user info are only a few kilobytes in size. */
const MAX_RESPONSE_BYTES = 256 * 1024;

/**
 * Reason why a provider returned no usable response. The message completes "<URL> …" and never repeats the response.
 */
export class ProviderFault extends Error {}

export type ProviderHttp = ReturnType<typeof createProviderHttp>;

export function createProviderHttp({ egress, giveUp }: Pick<Platform, 'egress' | 'giveUp'>) {
  let dispatcher: Dispatcher | undefined;
  const connections = () =>
    (dispatcher ??= egress.dispatcher({
      totalTimeoutMs: TIMEOUT_S * 1000,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    }));

  /** Sends a request; throws `ProviderFault` if there is no response. */
  async function call(address: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await fetch(egress.assertUrl(address), {
        ...init,
        redirect: 'manual',
        dispatcher: connections(),
        signal: AbortSignal.any([giveUp, AbortSignal.timeout(TIMEOUT_S * 1000)]),
      });
    } catch (error) {
      throw faultOf(error);
    }
  }

  async function getJson(address: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const response = await call(address, { headers: { accept: 'application/json', ...headers } });
    if (!response.ok) {
      await response.body?.cancel();
      throw new ProviderFault(`returned status ${response.status}`);
    }
    try {
      return await response.json();
    } catch (error) {
      throw error instanceof SyntaxError ? new ProviderFault('did not return JSON') : faultOf(error);
    }
  }

  return { call, getJson, close: () => dispatcher?.destroy() ?? Promise.resolve() };
}

function faultOf(error: unknown): ProviderFault {
  const words = [...causesOf(error)].map(describeError).find((each) => each !== undefined);
  return new ProviderFault(words ?? 'cannot be reached', { cause: error });
}

/** Yields the error and its causes, outermost first. */
function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}

function describeError(error: Error & { readonly code?: unknown }): string | undefined {
  if (error instanceof EgressError) return `cannot be reached: ${error.message.replace(/\.$/, '')}`;
  if (error.name === 'TimeoutError') return `did not respond within ${TIMEOUT_S} s`;
  if (error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `returned more than ${MAX_RESPONSE_BYTES} bytes`;
  return typeof error.code === 'string' ? `cannot be reached (${error.code})` : undefined;
}
