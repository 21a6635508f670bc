// Calls to Microsoft services. They pass the egress gate, are bounded in size and time, and do not follow redirects.
// Nothing is logged here, because headers and bodies contain secrets.
import { fetch, type Dispatcher, type Response } from 'undici';
import { EgressError } from '../../../platform/net/egress.ts';
import type { Platform } from '../../../platform/platform.ts';
import { IntuneFault } from './faults.ts';

const TIMEOUT_S = 10;
/** 500 revocation requests take a few hundred kilobytes. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

export interface IntuneCall {
  /** Name of the service, as the start of a sentence. */
  readonly whom: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of a POST; without it, the call is a GET. */
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface IntuneResponse {
  readonly status: number;
  /** Undefined if it is not JSON. */
  readonly body: unknown;
}

/** Throws `IntuneFault` if there is no response. */
export type IntuneHttp = (call: IntuneCall) => Promise<IntuneResponse>;

export function createIntuneHttp({ egress, giveUp }: Pick<Platform, 'egress' | 'giveUp'>) {
  let dispatcher: Dispatcher | undefined;
  const connections = () =>
    (dispatcher ??= egress.dispatcher({ totalTimeoutMs: TIMEOUT_S * 1_000, maxResponseBytes: MAX_RESPONSE_BYTES }));

  const call: IntuneHttp = async ({ whom, url, headers, body, signal }) => {
    try {
      const response = await fetch(egress.assertUrl(url), {
        method: body === undefined ? 'GET' : 'POST',
        headers: { accept: 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        dispatcher: connections(),
        signal: AbortSignal.any([giveUp, signal, AbortSignal.timeout(TIMEOUT_S * 1_000)]),
      });
      return { status: response.status, body: await readJson(response) };
    } catch (error) {
      throw faultOf(whom, error);
    }
  };

  return { call, close: () => dispatcher?.destroy() ?? Promise.resolve() };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function faultOf(whom: string, error: unknown): IntuneFault {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const words = describeError(cause);
    if (words !== undefined) return new IntuneFault(`${whom} ${words.text}`, { passes: words.passes, cause: error });
  }
  return new IntuneFault(`${whom} cannot be reached`, { passes: true, cause: error });
}

/**
 * Describes an error, and states whether the call can be repeated. A call that timed out is not repeated, because its
 * own caller is also waiting.
 */
function describeError(error: Error & { readonly code?: unknown }): { text: string; passes: boolean } | undefined {
  if (error instanceof EgressError)
    return { text: `cannot be reached: ${error.message.replace(/\.$/, '')}`, passes: false };
  if (error.name === 'TimeoutError') return { text: `did not respond within ${TIMEOUT_S} s`, passes: false };
  if (error.name === 'AbortError') return { text: 'did not respond before the platform stopped', passes: false };
  if (error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return { text: `returned more than ${MAX_RESPONSE_BYTES} bytes`, passes: false };
  return typeof error.code === 'string' ? { text: `cannot be reached (${error.code})`, passes: true } : undefined;
}
