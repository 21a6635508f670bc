// Downloads from URLs in certificates: CRLs, OCSP responses, issuer certificates. Requests pass through the egress
// gate, are bounded in size, time and number per host, and never follow redirects. An unresponsive host is not
// contacted again for a while.
import { fetch, type Dispatcher } from 'undici';
import { EgressError } from '../../platform/net/egress.ts';
import type { Platform } from '../../platform/platform.ts';

const TIMEOUT_S = 10;
/** Maximum concurrent requests per host; others wait. */
const MAX_PER_HOST = 4;
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

  async function download(url: URL, { maxBytes, accept, body }: ExternalRequest): Promise<Uint8Array> {
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
      throw new ExternalFetchError(`responded with status ${response.status}`);
    }
    return readBounded(response.body ?? [], maxBytes);
  }

  return async (address, request) => {
    const url = assertUrl(egress, address);
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
  };
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
