// Downloads from URLs in certificates: CRLs, OCSP responses, issuer certificates. Requests pass through the egress
// gate and are bounded in size, time and number per host. GET requests follow a few redirects, and each target passes
// the gate again. An unresponsive host is not contacted again for a while.
import { fetch, type Dispatcher } from 'undici';
import { EgressError } from '../../platform/net/egress.ts';
import type { Platform } from '../../platform/platform.ts';

const TIMEOUT_S = 10;
/** Maximum concurrent requests per host; others wait. */
const MAX_PER_HOST = 4;
/** CRLs are often moved to a content delivery network; longer chains do not occur in practice. */
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Time for which failures are cached. */
export const FAILURE_MS = 10 * 60_000;
/**
 * Time during which an unresponsive host is not contacted. Shorter than for other failures, since many requests may
 * depend on the host.
 */
const HANGING_MS = 60_000;
/** A CRL with a million entries is about 40 MB in size. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Reason for a failed download, phrased to follow "<URL> …". Never quotes the response. */
export class ExternalFetchError extends Error {}

export interface ExternalRequest {
  readonly maxBytes: number;
  readonly accept: string;
  /** Body and media type of a POST request; if absent, the URL is fetched with GET. */
  readonly body?: { readonly type: string; readonly octets: Uint8Array };
}

export interface FetchExternal {
  /** Returns the response body; throws `ExternalFetchError`. */
  (address: string, request: ExternalRequest): Promise<Uint8Array>;
}

export function createFetchExternal({
  egress,
  giveUp,
  clock,
}: Pick<Platform, 'egress' | 'giveUp' | 'clock'>): FetchExternal {
  let dispatcher: Dispatcher | undefined;
  const connections = (): Dispatcher =>
    (dispatcher ??= egress.dispatcher({ totalTimeoutMs: TIMEOUT_S * 1000, maxResponseBytes: MAX_RESPONSE_BYTES }));
  const lanes = createLanes(MAX_PER_HOST);
  const hanging = new Map<string, number>();

  /** Returns the response body, or the URL to which the server redirects a GET request. */
  async function download(url: URL, { maxBytes, accept, body }: ExternalRequest): Promise<Uint8Array | URL> {
    const signal = AbortSignal.any([giveUp, AbortSignal.timeout(TIMEOUT_S * 1000)]);
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { accept, ...(body && { 'content-type': body.type }) },
      ...(body && { body: body.octets.slice() }),
      redirect: 'manual',
      dispatcher: connections(),
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      const location = response.headers.get('location');
      if (!body && location !== null && REDIRECTS.has(response.status)) return redirectTarget(egress, url, location);
      throw new ExternalFetchError(`responded with status ${response.status}`);
    }
    return readBounded(response.body ?? [], maxBytes);
  }

  async function fetchOnce(url: URL, request: ExternalRequest): Promise<Uint8Array | URL> {
    const until = hanging.get(url.host) ?? 0;
    if (until > clock.monotonicMs()) throw new ExternalFetchError('recently timed out');
    hanging.delete(url.host);
    return lanes.run(url.host, async () => {
      // Once a host is known to be unresponsive, queued requests fail immediately instead of timing out one by one.
      if ((hanging.get(url.host) ?? 0) > clock.monotonicMs()) throw new ExternalFetchError('recently timed out');
      try {
        return await download(url, request);
      } catch (error) {
        if (isTimeout(error)) hanging.set(url.host, clock.monotonicMs() + HANGING_MS);
        throw faultOf(error);
      }
    });
  }

  return async (address, request) => {
    let url = assertUrl(egress, address);
    for (let redirects = 0; ; redirects += 1) {
      const outcome = await fetchOnce(url, request);
      if (!(outcome instanceof URL)) return outcome;
      if (redirects === MAX_REDIRECTS) throw new ExternalFetchError(`redirected more than ${MAX_REDIRECTS} times`);
      url = outcome;
    }
  };
}

/** Throws `ExternalFetchError` for a target that the platform may not contact, or that is less secure than the URL. */
function redirectTarget(egress: Platform['egress'], from: URL, location: string): URL {
  const target = URL.parse(location, from.href);
  if (!target) throw new ExternalFetchError('redirected to a malformed URL');
  if (from.protocol === 'https:' && target.protocol !== 'https:')
    throw new ExternalFetchError('redirected from https to a different scheme');
  target.hash = '';
  try {
    return egress.assertUrl(target.href);
  } catch (error) {
    const refusal = causesOf(error).find((each) => each instanceof EgressError);
    if (!refusal) throw error;
    throw new ExternalFetchError(`redirected to a URL that is blocked: ${refusal.message}`, { cause: error });
  }
}

function assertUrl(egress: Platform['egress'], address: string): URL {
  try {
    return egress.assertUrl(address);
  } catch (error) {
    throw faultOf(error);
  }
}

async function readBounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) throw new ExternalFetchError(`returned more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const isTimeout = (error: unknown): boolean =>
  causesOf(error).some((each) => /Timeout/i.test(each.name) || ('code' in each && /TIMEOUT/.test(String(each.code))));

function faultOf(error: unknown): ExternalFetchError {
  if (error instanceof ExternalFetchError) return error;
  const refusal = causesOf(error).find((each) => each instanceof EgressError);
  if (refusal) return new ExternalFetchError(`is blocked: ${refusal.message}`, { cause: error });
  return new ExternalFetchError(isTimeout(error) ? `did not respond within ${TIMEOUT_S} s` : 'is unreachable', {
    cause: error,
  });
}

/** Returns the error and its causes. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 8; each = each.cause) causes.push(each);
  return causes;
}

/** Limits concurrent requests per host; further requests wait. */
interface HostLanes {
  run<Answer>(host: string, ask: () => Promise<Answer>): Promise<Answer>;
}

function createLanes(slots: number): HostLanes {
  const lanes = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    async run(host, ask) {
      const lane = lanes.get(host) ?? { running: 0, waiting: [] };
      lanes.set(host, lane);
      if (lane.running === slots) await new Promise<void>((resolve) => lane.waiting.push(resolve));
      else lane.running += 1;
      try {
        return await ask();
      } finally {
        // The slot passes to the next waiting request, or becomes free.
        const next = lane.waiting.shift();
        if (next) next();
        else lane.running -= 1;
        if (lane.running === 0) lanes.delete(host);
      }
    },
  };
}
